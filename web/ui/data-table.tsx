import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { ColumnHandle } from './column-handle.tsx'
import styles from './data-table.module.css'
import { ariaSort, SortHeader, type TableSort } from './sort-header.tsx'
import { EmptyState, ErrorState } from './states.tsx'
import { useColumnWidths, type Widths } from './use-column-widths.ts'
import { walk } from './walk.ts'

/** One column of a table. */
export interface DataColumn<Row> {
  key: string
  header: string
  /** Drawn instead of the header's words, which then only name it in a tooltip: a box that ticks every row. */
  headerContent?: ReactNode
  render: (row: Row) => ReactNode
  /** About so wide until there are rows to measure; columns without one share the rest. */
  width?: string | number | undefined
  /** Takes a second line before anything of it is cut: an ID of a machine or an address, in small; or words. */
  wraps?: true | 'words' | undefined
  /** How much of it has to be seen where there is too little room, 0.6 unless told: 1 for what is of no use in part. */
  share?: number | undefined
  align?: 'left' | 'center' | 'right' | undefined
  /** This cell names its row and carries the row's button; the first column unless told. */
  isRowHeader?: boolean | undefined
  /** Its header is a button that sorts; the table's `onSort` is told. */
  isSortable?: boolean | undefined
}

/** What makes the columns of a table resizable. */
export interface ColumnSizing {
  widths: Widths
  /** Asked for with all that were chosen. */
  onChange: (widths: Widths) => void
  /** Every column as wide as its content needs. */
  onReset: () => void
  /** What the edge of a column is called. */
  label: (header: string) => string
}

/** What a table needs whatever is shown. */
interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  columns: readonly DataColumn<Row>[]
  /** While the next page loads, hand over the previous rows: they stay, dimmed. */
  rows: readonly Row[]
  getRowKey: (row: Row) => string | number
  /** Rows per page: the height stays the same whatever is shown. */
  rowCount: number
  /** Said when there are no rows. */
  empty: ReactNode
  /** The next step then. */
  emptyAction?: ReactNode
  /** Opens a row: by click anywhere on it, or by its button (Tab, arrows, Enter, Space). */
  onRowAction?: ((row: Row) => void) | undefined
  /** The address of a row where it opens a page of its own: it is a link then, which a new tab takes, too. */
  rowHref?: ((row: Row) => string) | undefined
  /** What that button is called, e.g. '김민수 상세 보기'; the cell's own text unless told. */
  rowActionLabel?: ((row: Row) => string) | undefined
  /** The widths of columns that a person chose, and how they choose them. */
  sizing?: ColumnSizing | undefined
  /** What the rows are sorted by; null or left out: the list's own order. */
  sort?: TableSort | null | undefined
  /** Asked for when the header of a sortable column is pressed. */
  onSort?: ((key: string) => void) | undefined
}

/** Rows that are loaded; the words for every state are required, so that none is forgotten. */
interface Loaded {
  state: 'loading' | 'error' | 'ready'
  loadingLabel: string
  /** Said when loading failed, with a button to try again. */
  error: ReactNode
  retryLabel: string
  onRetry: () => void
}

/** Rows that are there already. */
interface Given {
  state: 'given'
}

/** What a table needs. */
export type DataTableProps<Row> = TableProps<Row> & (Loaded | Given)

/** In fewer rows there is no room for one. */
const PICTURE_ROWS = 4

/** Arrow keys walk from row to row. */
function walkRows(event: KeyboardEvent<HTMLTableElement>) {
  const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[data-row-action]')
  walk(event, buttons, { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity })
}

/** Whether a click is meant for another tab or window. */
const wantsNewTab = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button === 1 || ctrlKey || metaKey || shiftKey

interface RowActionProps {
  href: string | undefined
  label: string | undefined
  onOpen: () => void
  children: ReactNode
}

/** What opens a row by keyboard: a link where the row has an address, else a button; Enter and Space press either. */
function RowAction({ href, label, onOpen, children }: RowActionProps) {
  const shared = { 'data-row-action': true, className: styles.rowButton, 'aria-label': label }
  if (href === undefined) {
    return (
      <button type="button" {...shared} onClick={onOpen}>
        {children}
      </button>
    )
  }
  return (
    <a
      href={href}
      {...shared}
      onClick={(event) => {
        if (wantsNewTab(event)) return
        event.preventDefault()
        onOpen()
      }}
      onKeyDown={(event) => {
        if (event.key !== ' ') return
        event.preventDefault()
        onOpen()
      }}
    >
      {children}
    </a>
  )
}

/** Text gets a title, because a long one ends in an ellipsis. */
function titleOf(content: ReactNode): string | undefined {
  return typeof content === 'string' || typeof content === 'number' ? String(content) : undefined
}

/** A table of one page of rows that keeps its height while loading, empty, failed, or on the last page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, getRowKey, rowCount, empty, emptyAction } = props
  const { onRowAction, rowHref, rowActionLabel, sizing, sort, onSort } = props
  const headerAt = Math.max(
    columns.findIndex((column) => column.isRowHeader),
    0,
  )
  const isLoading = props.state === 'loading'
  const isFirstLoad = isLoading && rows.length === 0
  const notice =
    props.state === 'error' ? (
      <ErrorState message={props.error} retryLabel={props.retryLabel} onRetry={props.onRetry} />
    ) : !isLoading && rows.length === 0 ? (
      <EmptyState message={empty} action={emptyAction} hasPicture={rowCount >= PICTURE_ROWS} />
    ) : null
  const shown = notice ? [] : rows
  const padding = notice ? 0 : Math.max(rowCount - shown.length, 0)
  const { frame, table, widths, room } = useColumnWidths(columns, shown, sizing?.widths ?? {})
  const width = widths?.reduce((sum, one) => sum + one, 0) ?? 0
  // More than there is room for: it scrolls within its own frame.
  const isWide = room > 0 && width > room + 1
  const [stop, setStop] = useState(0)

  /** Those before it stay where they are, so that its edge follows the pointer. */
  function resize(index: number, to: number) {
    const before = columns.slice(0, index).map(({ key }, at) => [key, Math.round(widths?.[at] ?? 0)] as const)
    sizing?.onChange({
      ...sizing.widths,
      ...Object.fromEntries(before),
      [columns[index]?.key ?? '']: to,
    })
  }

  function clickRow(event: MouseEvent<HTMLTableRowElement>, row: Row) {
    const { target } = event
    const href = rowHref?.(row)
    const isOwnControl =
      target instanceof Element && target.closest('a, button, input, select, label') !== null
    // A click that ends a text selection is meant for copying.
    if (isOwnControl || window.getSelection()?.toString()) return
    if (href !== undefined && wantsNewTab(event)) window.open(href, '_blank', 'noopener')
    else if (event.button === 0) onRowAction?.(row)
  }

  return (
    <div
      ref={frame}
      className={styles.frame}
      data-wide={isWide || undefined}
      // With nothing in it to focus, arrow keys scroll it.
      {...(isWide && onRowAction === undefined && { role: 'group', 'aria-label': label, tabIndex: 0 })}
    >
      {/* Only moves the focus between buttons that work without it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <table
        ref={table}
        className={classes(styles.table, isLoading && styles.loading)}
        aria-label={label}
        aria-busy={isLoading}
        style={{ minWidth: width }}
        onKeyDown={walkRows}
      >
        <colgroup>
          {columns.map((column, index) => (
            <col key={column.key} style={{ width: widths?.[index] ?? column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.key}
                scope="col"
                data-row-header={index === headerAt || undefined}
                // Without the name of its edge.
                aria-label={sizing && column.header}
                data-align={column.align}
                title={column.header}
                aria-sort={column.isSortable ? ariaSort(column.key, sort) : undefined}
              >
                {column.isSortable && onSort ? (
                  <SortHeader column={column} sort={sort} onSort={onSort} />
                ) : (
                  (column.headerContent ?? column.header)
                )}
                {sizing && widths && index < columns.length - 1 && (
                  <ColumnHandle
                    label={sizing.label(column.header)}
                    width={widths[index] ?? 0}
                    isStop={index === Math.min(stop, columns.length - 2)}
                    onResize={(to) => resize(index, to)}
                    onReset={sizing.onReset}
                    onFocus={() => setStop(index)}
                  />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {notice && (
            <tr>
              <td
                className={styles.notice}
                colSpan={columns.length}
                style={{ height: `calc(var(--row) * ${rowCount})` }}
              >
                {/* In the middle of what is in sight, however wide the table is. */}
                <div className={styles.inSight} style={{ width: room || undefined }}>
                  {notice}
                </div>
              </td>
            </tr>
          )}
          {shown.map((row) => (
            <tr
              key={getRowKey(row)}
              className={classes(onRowAction && styles.clickable)}
              onClick={onRowAction && ((event) => clickRow(event, row))}
              onAuxClick={onRowAction && ((event) => clickRow(event, row))}
            >
              {columns.map((column, index) => {
                const content = column.render(row)
                const isHeader = index === headerAt
                const Cell = isHeader ? 'th' : 'td'
                return (
                  <Cell
                    key={column.key}
                    scope={isHeader ? 'row' : undefined}
                    data-align={column.align}
                    data-wraps={column.wraps}
                    title={titleOf(content)}
                  >
                    {isHeader && onRowAction ? (
                      <RowAction
                        href={rowHref?.(row)}
                        label={rowActionLabel?.(row)}
                        onOpen={() => onRowAction(row)}
                      >
                        {content}
                      </RowAction>
                    ) : (
                      content
                    )}
                  </Cell>
                )
              })}
            </tr>
          ))}
          {isFirstLoad
            ? Array.from({ length: padding }, (_, index) => (
                <tr key={`padding-${index}`} aria-hidden="true" className={styles.skeleton}>
                  {columns.map((column) => (
                    <td key={column.key} data-align={column.align}>
                      {isFirstLoad && <span />}
                    </td>
                  ))}
                </tr>
              ))
            : padding > 0 && (
                <tr aria-hidden="true">
                  <td colSpan={columns.length} style={{ height: `calc(var(--row) * ${padding})` }}>
                    {null}
                  </td>
                </tr>
              )}
        </tbody>
      </table>
      <output className="visually-hidden">{props.state === 'loading' && props.loadingLabel}</output>
    </div>
  )
}
