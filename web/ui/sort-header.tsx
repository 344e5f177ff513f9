import { ArrowDownIcon, ArrowUpIcon, SortIcon } from './icons.tsx'
import styles from './sort-header.module.css'

/** The order of a table. */
export interface TableSort {
  /** The column's key. */
  by: string
  order: 'asc' | 'desc'
}

/**
 * Returns the value of aria-sort for the column `key`, which screen readers announce: 'none' unless the list is sorted by it.
 */
export function ariaSort(key: string, sort: TableSort | null | undefined) {
  if (sort?.by !== key) return 'none'
  return sort.order === 'asc' ? 'ascending' : 'descending'
}

interface Props {
  column: { key: string; header: string }
  sort: TableSort | null | undefined
  onSort: (key: string) => void
}

/**
 * Shows the button in the header of a sortable column with its order. A click calls `onSort` with the key of the
 * column; the caller computes the next order.
 */
export function SortHeader({ column, sort, onSort }: Props) {
  const state = ariaSort(column.key, sort)
  const Mark = { none: SortIcon, ascending: ArrowUpIcon, descending: ArrowDownIcon }[state]
  return (
    <button type="button" className={styles.sort} data-sort={state} onClick={() => onSort(column.key)}>
      <span>{column.header}</span>
      <Mark size={14} />
    </button>
  )
}
