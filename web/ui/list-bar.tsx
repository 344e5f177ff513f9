import type { ReactNode } from 'react'
import layout from './layout.module.css'
import styles from './list-bar.module.css'

/** The line above a table: how many rows there are, and what can be done with the list. */
export function ListBar({ total, children }: { total: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.bar}>
      {/* Its line is there before its number, so that the table stays where it is. */}
      <output className={layout.quiet}>{total}</output>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}

/** The line below a table with what is done with the ticked rows: it stays in sight while a long page is scrolled. */
export function TickedBar({ children }: { children: ReactNode }) {
  return <div className={styles.ticked}>{children}</div>
}
