import { ArrowDownIcon, ArrowUpIcon, SortIcon } from './icons.tsx'
import styles from './sort-header.module.css'

/** The order of a table. */
export interface TableSort {
  /** The column's key. */
  by: string
  order: 'asc' | 'desc'
}

/** Returns the header's aria-sort, which screen readers announce with the column. */
export function ariaSort(key: string, sort: TableSort | null | undefined) {
  if (sort?.by !== key) return 'none'
  return sort.order === 'asc' ? 'ascending' : 'descending'
}

interface Props {
  column: { key: string; header: string }
  sort: TableSort | null | undefined
  onSort: (key: string) => void
}

/** The button in the header of a sortable column. */
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
