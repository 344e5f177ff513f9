import type { ReactNode } from 'react'
import styles from './form-grid.module.css'
import { classes } from './classes.ts'

/** Props of a grid of fields. */
interface FormGridProps {
  /** 2 by default. */
  columns?: 1 | 2 | 3 | undefined
  /** `side`: a column of labels at the left, as in business forms; `top` for narrow cards and dialogs. */
  labels?: 'side' | 'top' | undefined
  children: ReactNode
}

/** Aligns the fields of a form in columns. Every field reserves a line for its message. */
export function FormGrid({ columns = 2, labels = 'side', children }: FormGridProps) {
  return (
    <div className={classes(styles.grid, styles[labels])} data-columns={columns}>
      {children}
    </div>
  )
}

/** Properties of the filters above a table. */
interface FilterBarProps {
  actions: ReactNode
  /** Content below the fields. */
  below?: ReactNode
  children: ReactNode
}

/** Shows the filters above a table, with their buttons (`actions`) at the right. */
export function FilterBar({ actions, below, children }: FilterBarProps) {
  return (
    <div className={styles.filters}>
      <div className={styles.filterFields}>{children}</div>
      <div className={styles.filterActions}>{actions}</div>
      {below}
    </div>
  )
}

/** Lays out the buttons at the end of a form: `start` at the left, the children at the right. */
export function FormActions({ start, children }: { start?: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.actions}>
      <div className={styles.buttons}>{start}</div>
      <div className={styles.buttons}>{children}</div>
    </div>
  )
}
