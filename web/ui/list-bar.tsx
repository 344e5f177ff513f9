import type { ReactNode } from 'react'
import layout from './layout.module.css'
import styles from './list-bar.module.css'

/** Shows a bar above a table with the number of rows and the actions of the list. */
export function ListBar({ total, children }: { total: ReactNode; children?: ReactNode }) {
  return (
    <div className={styles.bar}>
      {/* Its line is there before its number, so that the table stays where it is. */}
      <output className={layout.quiet}>{total}</output>
      <div className={styles.actions}>{children}</div>
    </div>
  )
}

/** Shows a bar below a table with the actions for selected rows. It stays visible while a long page scrolls. */
export function TickedBar({ children }: { children: ReactNode }) {
  return <div className={styles.ticked}>{children}</div>
}
