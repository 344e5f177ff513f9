import { useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { classes } from './classes.ts'
import { ColumnHandle } from './column-resizer.tsx'
import styles from './data-table.module.css'
import { ariaSort, SortHeader, type TableSort } from './sort-header.tsx'
import { EmptyState, ErrorState } from './states.tsx'
import { useColumnWidths, type Widths } from './use-column-widths.ts'
import { moveFocus } from './move-focus.ts'

/** A column of a table. */
export interface DataColumn<Row> {
  key: string
  header: string
  /** Replaces the header text, which becomes a tooltip: a checkbox for every row. */
  headerContent?: ReactNode
  render: (row: Row) => ReactNode
  /** Approximate width before rows are measured; columns without one share the rest. */
  width?: string | number | undefined
  /** True to keep `width` whatever the rows contain. */
  isFixed?: boolean | undefined
  /** Wraps to a second line before it is cut: an ID or URL in small type, or words. */
  wraps?: true | 'words' | undefined
  /** Minimum share of the content that stays visible in a narrow table; 0.6 by default, 1 if a part is useless. */
  share?: number | undefined
  align?: 'left' | 'center' | 'right' | undefined
  /** Whether this cell names its row and has the row's button; by default that of the first column. */
  isRowHeader?: boolean | undefined
  /** Whether its header is a button that calls `onSort` of the table. */
  isSortable?: boolean | undefined
}

/** Options of a table with resizable columns. */
export interface ColumnSizing {
  widths: Widths
  /** Called with all widths that the user has chosen. */
  onChange: (widths: Widths) => void
  /** Called to return to automatic widths. */
  onReset: () => void
  /** Returns the accessible name of a column's edge. */
  label: (header: string) => string
}

/** Props of a table in every state. */
interface TableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly DataColumn<Row>[]
  /** Rows to show; while a page loads those of the previous page, dimmed. */
  rows: readonly Row[]
  getRowKey: (row: Row) => string | number
  /** Rows per page, which fix the height in every state. */
  rowCount: number
  /** Text that the table shows without rows. */
  empty: ReactNode
  /** Action that the table offers without rows. */
  emptyAction?: ReactNode
  /** Opens a row, by a click anywhere on it or by its button (Tab, arrows, Enter, Space). */
  onRowAction?: ((row: Row) => void) | undefined
  /** Returns the URL of a row that opens a page: the row is a link then, which a new tab can open. */
  rowHref?: ((row: Row) => string) | undefined
  /** Returns the name of a row's button or link, such as '김민수 상세 보기'; by default the text of the cell. */
  rowActionLabel?: ((row: Row) => string) | undefined
  /** Makes the columns resizable. */
  sizing?: ColumnSizing | undefined
  /** Order of the rows; null or undefined for the default order. */
  sort?: TableSort | null | undefined
  /** Called when the user presses the header of a sortable column. */
  onSort?: ((key: string) => void) | undefined
}

/** Props of a table whose rows load; the text of every state is required. */
interface Loaded {
  state: 'loading' | 'error' | 'ready'
  loadingLabel: string
  /** Text after a failed load, shown with a retry button. */
  error: ReactNode
  retryLabel: string
  onRetry: () => void
}

/** Props of a table whose rows do not load. */
interface Given {
  state: 'given'
}

/** Props of a table. */
export type DataTableProps<Row> = TableProps<Row> & (Loaded | Given)

/** Minimum height, in rows, of an empty table with an illustration. */
const PICTURE_ROWS = 4

/** Moves the focus between rows by the arrow keys, Home and End. */
function walkRows(event: KeyboardEvent<HTMLTableElement>) {
  const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[data-row-action]')
  moveFocus(event, buttons, { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity })
}

/** Returns whether a click opens another tab or window. */
const wantsNewTab = ({ button, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button === 1 || ctrlKey || metaKey || shiftKey

/** The action of a row and its label. */
interface RowActionProps {
  href: string | undefined
  label: string | undefined
  onOpen: () => void
  children: ReactNode
}

/** Shows the control that opens a row: a link if the row has a URL, else a button. Enter and Space press both. */
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

/** Returns the tooltip of a text cell, whose text may end in an ellipsis; undefined for other content. */
function titleOf(content: ReactNode): string | undefined {
  return typeof content === 'string' || typeof content === 'number' ? String(content) : undefined
}

/**
 * Shows a table of one page of rows, with a text for its states. Keeps its height while it loads, fails, is empty, or
 * shows the last page. Scrolls sideways in its frame if the columns do not fit.
 */
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
  // A table that is too wide scrolls in its frame.
  const isWide = room > 0 && width > room + 1
  // The row header stays in sight if it leaves a third of the width for the other columns.
  const isPinned = isWide && (widths?.[headerAt] ?? 0) <= (room * 2) / 3
  const [stop, setStop] = useState(0)

  /** Sets a width and fixes the columns before it, so that the edge follows the pointer. */
  function resize(index: number, to: number) {
    const before = columns.slice(0, index).map(({ key }, at) => [key, Math.round(widths?.[at] ?? 0)] as const)
    sizing?.onChange({
      ...sizing.widths,
      ...Object.fromEntries(before),
      [columns[index]?.key ?? '']: to,
    })
  }

  /**
   * Opens the row, in a new tab if the user asks for it. Ignores clicks on a control of the row and the end of a
   * selection.
   */
  function clickRow(event: MouseEvent<HTMLTableRowElement>, row: Row) {
    const { target } = event
    const href = rowHref?.(row)
    const isOwnControl =
      target instanceof Element && target.closest('a, button, input, select, label') !== null
    // A click that ends a text selection is not meant to open the row.
    if (isOwnControl || window.getSelection()?.toString()) return
    if (href !== undefined && wantsNewTab(event)) window.open(href, '_blank', 'noopener')
    else if (event.button === 0) onRowAction?.(row)
  }

  return (
    <div
      ref={frame}
      className={styles.frame}
      data-wide={isWide || undefined}
      data-pinned={isPinned || undefined}
      // Rows without an action cannot take the focus, so the frame takes it: arrow keys scroll it then.
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
                // Excludes the name of the column's edge.
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
