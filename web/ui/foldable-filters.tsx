import { useId, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { ChevronDownIcon } from './icons.tsx'
import styles from './form-grid.module.css'

interface FoldableFiltersProps {
  actions: ReactNode
  children: ReactNode
  /** Filters that are rarely needed. */
  more: ReactNode
  /** Label of the button that unfolds them. */
  moreLabel: string
  isOpen: boolean
  onToggle: () => void
}

/** Shows the filters above a table like `FilterBar`, with a second row (`more`) that a button shows and hides. */
export function FoldableFilters({
  actions,
  children,
  more,
  moreLabel,
  isOpen,
  onToggle,
}: FoldableFiltersProps) {
  const id = useId()
  return (
    <div className={classes(styles.filters, styles.foldable)}>
      <div className={styles.filterFields}>{children}</div>
      <div className={styles.filterActions}>{actions}</div>
      {isOpen && (
        <div id={id} className={styles.moreFilters}>
          {more}
        </div>
      )}
      <button
        type="button"
        className={styles.fold}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={onToggle}
      >
        {moreLabel}
        <ChevronDownIcon size={16} />
      </button>
    </div>
  )
}
