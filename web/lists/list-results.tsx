import { useRef, type ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable, type DataTableProps } from '../ui/data-table.tsx'
import layout from '../ui/layout.module.css'
import { ListBar, TickedBar } from '../ui/list-bar.tsx'
import { Pager } from '../ui/pager.tsx'
import { useDensity } from './density.ts'
import { sizesOf } from './list-size.ts'
import type { ListPage } from './use-list-page.ts'
import { useWidths } from './use-widths.ts'

interface Props<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rows' | 'getRowKey' | 'onRowAction' | 'rowHref' | 'rowActionLabel'
> {
  page: Omit<ListPage<{ totalCount: number }>, 'submit' | 'list'> & {
    list: Pick<
      ListPage<{ totalCount: number }>['list'],
      'page' | 'goTo' | 'sort' | 'sortBy' | 'resize' | 'clear'
    >
  }
  /** What the list says of itself. */
  texts: {
    total?: (count: string) => string
    results: string
    loading: string
    empty: string
    failed: string
  }
  /** The next step where there is nothing yet, and nothing narrows the list. */
  next?: ReactNode
  /** As high as its rows, and a pager once there is more than one page: one part of a screen among others. */
  isShort?: boolean
  /** What can be done with the list. */
  children?: ReactNode
  /** What can be done with the rows that are ticked: after them in the order of the keyboard, and always in sight. */
  onTicked?: ReactNode
}

/** So high at least, that a state can be said in a short list's place. */
const SHORTEST = 3

/** A page of a list: its count and what can be done with it, the table, and the pager. */
export function ListResults<Row>(props: Props<Row>) {
  const { page, texts, isShort = false, next, children, onTicked, ...table } = props
  const t = usePortalMessages().lists
  const { list, total, error, pageCount, rowsPerPage, usual } = page
  const { resize, clear } = list
  const box = useRef<HTMLDivElement>(null)
  const density = useDensity()
  // A larger page is as high as its rows: a few of a hundred leave no hole.
  const height = rowsPerPage > usual ? Math.max(table.rows.length, usual) : rowsPerPage
  return (
    <div ref={box} className={layout.stack} tabIndex={-1}>
      {texts.total && (
        <ListBar total={total !== undefined && texts.total(total.toLocaleString())}>{children}</ListBar>
      )}
      <DataTable
        {...table}
        sizing={useWidths(page.name)}
        label={texts.results}
        state={page.state}
        rowCount={isShort && pageCount <= 1 ? Math.max(table.rows.length, SHORTEST) : height}
        loadingLabel={texts.loading}
        empty={texts.empty}
        emptyAction={
          clear === undefined ? (
            next
          ) : (
            <Button
              size="small"
              onClick={() => {
                // The button goes with what it clears.
                box.current?.focus({ preventScroll: true })
                clear()
              }}
            >
              {t.clear}
            </Button>
          )
        }
        // A server that failed says nothing of its own (rules/frame#server-away).
        error={error?.isServerFailure === false ? error.msg : texts.failed}
        retryLabel={t.retry}
        onRetry={page.retry}
        sort={list.sort}
        onSort={list.sortBy}
      />
      {Boolean(onTicked) && <TickedBar>{onTicked}</TickedBar>}
      {(!isShort || pageCount > 1) && (
        <Pager
          page={list.page}
          pageCount={pageCount}
          onChange={list.goTo}
          size={resize && { perPage: rowsPerPage, choices: sizesOf(usual), onChange: resize }}
          density={{ isOn: density.isCompact, onToggle: density.toggle }}
          labels={isShort ? { ...t.pager, nav: `${texts.results} ${t.pager.nav}` } : t.pager}
        />
      )}
    </div>
  )
}
