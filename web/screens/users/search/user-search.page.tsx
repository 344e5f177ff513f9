import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { exportUsers, listUsers, USER_EXPORT_COLUMNS } from '../../../../contract/users.ts'
import { callForFile } from '../../../api/call-for-file.ts'
import { invalidate } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { usePermissionLookup } from '../../../layout/use-permission.ts'
import { usePortalMessages } from '../../../language.tsx'
import { ExportButton } from '../../../lists/export-button.tsx'
import type { ListControl } from '../../../lists/list-state.ts'
import { ListResults } from '../../../lists/list-results.tsx'
import { useSelectable } from '../../../lists/selection-bar.tsx'
import { useColumnChoice } from '../../../lists/use-columns.tsx'
import { useOwnList } from '../../../lists/use-list.ts'
import { useHref } from '../../../routes/use-href.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { showRecentChanges, useIsRecentOpen } from '../bulk/recent-changes.ts'
import { useSavedSearches } from './saved-searches.tsx'
import { forgetSearch, rememberedSearch, rememberSearch } from './search-memory.ts'
import { NO_FILTERS, type UserFilters as Filters } from './search-state.ts'
import { useUserColumns, type UserRow } from './user-columns.tsx'
import { UserFilters } from './user-filters.tsx'
import { shownFields, userList } from './user-list.ts'
import { useUserSelection } from '../bulk/use-selection.ts'
import layout from '../../../ui/layout.module.css'

/** Prefetches the list for the URL. */
export const { load } = userList

/** Dialog of the recent bulk changes. It opens now and then, so it is no part of the first load. */
const RecentDialog = lazy(() => import('../bulk/recent-dialog.tsx'))

/**
 * Shows the page /user/search: the user list with filters, column choice, saved searches, bulk actions and export. The
 * URL holds the filters, page and order.
 */
export default function UserSearchScreen() {
  const title = usePortalMessages().titles.userSearch
  const list = userList.useList()
  const chosen = useColumnChoice('users', useUserColumns())
  const withdrawn = { columns: useUserColumns('withdrawn'), chooser: null }
  return (
    <Page title={title}>
      <UserSearch list={list} {...(list.filters.withdrawn === 'Y' ? withdrawn : chosen)} />
    </Page>
  )
}

/**
 * Shows the user search on the home page of HR administrators (rules/users#compact-search): fewer columns, no keyword,
 * no bulk actions, no export. “Back” of a user leads to the home page. Its state is not part of the URL of /main; it
 * begins with the stored search.
 */
export function UserSearchPanel() {
  // Drop the filters that have no field in the panel.
  const list = useOwnList(() => {
    const { filters, ...kept } = rememberedSearch()
    return {
      ...kept,
      filters: { ...filters, keyword: '', withdrawn: NO_FILTERS.withdrawn, fields: '' },
      perPage: undefined,
    }
  })
  return <UserSearch list={list} columns={useUserColumns('compact')} compact />
}

interface Props {
  list: ListControl<Filters>
  columns: ReturnType<typeof useUserColumns>
  /** The button to select the columns; null or undefined for none. */
  chooser?: ReactNode
  compact?: boolean
}

/**
 * Shows the user search (rules/users#user-search): filters and a list with 5 rows a page by default. A row opens the
 * user, and stores the search and selection for the return; loading the list clears what is stored. Users who may
 * manage users can select rows for bulk actions, except in the compact form. Withdrawn accounts open on their own page.
 */
function UserSearch({ list, columns, chooser, compact = false }: Props) {
  const { search: t, bulk } = usePortalMessages().users
  const navigate = useNavigate()
  // The table measures its columns once, so the checkboxes are there until the permissions say otherwise.
  const isBulk = usePermissionLookup()('autho_user_manage') !== false && !compact
  const page = userList.usePage(list)
  const isOpening = useRef(false)
  const href = useHref()
  const isWithdrawn = list.filters.withdrawn === 'Y'
  const path = isWithdrawn ? '/user/withdrawn' : '/user/detail'
  const hrefOf = ({ userId }: UserRow) => href({ to: path, search: { userId } })
  useShowRefusal(page.error)

  useEffect(() => {
    // A list that loads while the row's page is opening must not clear the search that was just stored for the return.
    if (page.isLoaded && !isOpening.current) forgetSearch()
  }, [page.isLoaded])

  function open(row: UserRow): void {
    isOpening.current = true
    rememberSearch(list, selection.choice, compact)
    void navigate({ to: path, state: { userId: row.userId } })
  }

  const rows = page.data?.users ?? []
  const selection = useUserSelection(list.filters, page.total)
  const selectable = useSelectable(columns, rows, selection, {
    idOf: (row) => row.userId,
    nameOf: (row) => row.name,
  })
  const saved = useSavedSearches(list)
  const isRecentOpen = useIsRecentOpen()
  const place = useRef<HTMLDivElement>(null)

  return (
    <div ref={place} tabIndex={-1} className={compact ? layout.stack : layout.parts}>
      <UserFilters
        initial={list.filters}
        asked={saved.applied}
        onSearch={page.submit}
        compact={compact}
        saved={saved.button}
      />
      {saved.dialog}
      {isBulk && isRecentOpen && (
        <Suspense>
          <RecentDialog />
        </Suspense>
      )}
      <ListResults
        // The panel at home has other columns of these names.
        page={compact ? { ...page, name: undefined } : page}
        // Closed accounts are in no usual search, so users may think they are lost.
        texts={compact || isWithdrawn ? t : { ...t, empty: t.emptyButWithdrawn }}
        columns={isBulk ? selectable : columns}
        rows={rows}
        getRowKey={(row) => row.userId}
        onRowAction={open}
        rowHref={hrefOf}
        rowActionLabel={(row) => (row.suspended ? t.openSuspended(row.name) : t.open(row.name))}
        onTicked={
          isBulk &&
          selection.count > 0 && (
            <BulkBar
              selection={selection}
              isWithdrawn={isWithdrawn}
              total={page.total ?? 0}
              onDone={() => invalidate(listUsers)}
              onGone={() => place.current?.focus()}
            />
          )
        }
      >
        {!compact && (
          <ExportButton
            name="users"
            exported={USER_EXPORT_COLUMNS}
            columns={columns}
            total={page.total}
            receive={(asked, options) =>
              callForFile(exportUsers, { ...shownFields(list), ...asked }, options)
            }
          />
        )}
        {isBulk && (
          <Button size="small" onClick={() => showRecentChanges(true)}>
            {bulk.recent}
          </Button>
        )}
        {chooser}
      </ListResults>
    </div>
  )
}
