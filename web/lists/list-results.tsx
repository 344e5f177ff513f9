import { useRef, type ReactNode } from 'react'
import { usePortalMessages } from '../language.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable, type DataTableProps, type ColumnSizing } from '../ui/data-table.tsx'
import layout from '../ui/layout.module.css'
import { ListBar, TickedBar } from '../ui/list-bar.tsx'
import { Pager } from '../ui/pager.tsx'
import { useDensity } from './density.ts'
import { sizesOf } from './list-size.ts'
import type { ListPage } from './use-list-page.ts'
import * as z from 'zod/mini'
import { sessionUserId } from '../session.ts'
import { useStoredChoices } from './use-stored-choices.ts'

interface Props<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rows' | 'getRowKey' | 'onRowAction' | 'rowHref' | 'rowActionLabel'
> {
  /** The page of the list, as `useListPage` returns it. */
  page: Omit<ListPage<{ totalCount: number }>, 'submit' | 'list'> & {
    list: Pick<
      ListPage<{ totalCount: number }>['list'],
      'page' | 'goTo' | 'sort' | 'sortBy' | 'resize' | 'clear'
    >
  }
  /** The texts of the list. */
  texts: {
    total?: (count: string) => string
    results: string
    loading: string
    empty: string
    failed: string
  }
  /** The next step, shown if the list is empty and has no filter. */
  next?: ReactNode
  /** True for a list within a larger screen: it is only as high as its rows, and has a pager only if there are several pages. */
  isShort?: boolean
  /** The actions of the list. */
  children?: ReactNode
  /** The actions for ticked rows. They follow the rows in keyboard order and are always visible. */
  onTicked?: ReactNode
}

/** Minimum height of a list with `isShort`, in rows, so that a state message fits. */
const SHORTEST = 3

/**
 * Shows a page of a list: its count and actions, the table with its loading, empty and error states, and the pager
 * with density and rows per page. An empty list with filters has a button that clears them; one without shows
 * `next`.
 */
export function ListResults<Row>(props: Props<Row>) {
  const { page, texts, isShort = false, next, children, onTicked, ...table } = props
  const t = usePortalMessages().lists
  const { list, total, error, pageCount, rowsPerPage, usual } = page
  const { resize, clear } = list
  const box = useRef<HTMLDivElement>(null)
  const density = useDensity()
  // A page of more rows than usual is only as high as its rows, so that a short last page leaves no gap.
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
                // The button disappears when the selection is cleared.
                box.current?.focus({ preventScroll: true })
                clear()
              }}
            >
              {t.clear}
            </Button>
          )
        }
        // A failed server returns no message of its own (rules/frame#server-unavailable).
        error={error?.isServerFailure === false ? error.message : texts.failed}
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

/** Schema of the stored widths of columns in pixels. */
const widths = z.record(z.string(), z.number())

/**
 * Returns the column widths that the user chose for a list (rules/lists#widths).
 * @param list name of the list in the storage key; undefined if its columns cannot be resized
 */
function useWidths(list: string | undefined): ColumnSizing | undefined {
  const { widthOf, widthsReset } = usePortalMessages().lists
  const key = list && `widths_${list}_${sessionUserId() ?? ''}`
  const { choices, change, reset } = useStoredChoices(key, widths, widthsReset)
  return key === undefined ? undefined : { widths: choices, label: widthOf, onChange: change, onReset: reset }
}
