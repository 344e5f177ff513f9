import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { exportUsers, listUsers, USER_SORTS, USERS_PER_PAGE } from '../../../contract/users.ts'
import { callForFile } from '../../api/client.ts'
import { prefetch, query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { ExportButton } from '../../lists/export-button.tsx'
import { readListState, type ListWords } from '../../lists/list-address.ts'
import { type ListControl, type ListState, sortInput } from '../../lists/list-state.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useColumnChoice } from '../../lists/use-columns.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { useListInAddress, useOwnList } from '../../lists/use-list.ts'
import { Page } from '../../ui/card.tsx'
import { forgetSearch, rememberedSearch, rememberSearch } from './search-memory.ts'
import { NO_FILTERS, type UserFilters as Filters, filterInput } from './search-state.ts'
import { useUserColumns, type UserRow } from './user-columns.tsx'
import { UserFilters } from './user-filters.tsx'
import layout from '../../ui/layout.module.css'

/** Asks for the list that the address shows. */
export function load(words: ListWords): void {
  void prefetch(usersQuery(readListState(words, NO_FILTERS, USER_SORTS)))
}

/** /user/search: what is shown stands in the address. */
export default function UserSearchScreen() {
  const title = usePortalMessages().titles.userSearch
  const list = useListInAddress('/user/search', NO_FILTERS, USER_SORTS)
  const { columns, chooser } = useColumnChoice('users', useUserColumns())
  return (
    <Page title={title}>
      <UserSearch list={list} columns={columns} chooser={chooser} />
    </Page>
  )
}

/**
 * The panel on the home page of HR administrators (rules/users#compact-search): without ID and registration date, and
 * 'back' leads to the home page again. What it shows is no part of the address of /main.
 */
export function UserSearchPanel() {
  const list = useOwnList(() => rememberedSearch() ?? { filters: NO_FILTERS, page: 1, sort: null })
  return <UserSearch list={list} columns={useUserColumns(true)} compact />
}

interface Props {
  list: ListControl<Filters>
  columns: ReturnType<typeof useUserColumns>
  /** The button to choose the columns with. */
  chooser?: ReactNode
  compact?: boolean
}

/** User search (rules/users#user-search): filters, 5 rows a page, a row opens the user. */
function UserSearch({ list, columns, chooser, compact = false }: Props) {
  const t = usePortalMessages().users.search
  const navigate = useNavigate()
  const page = useListPage(list, usersQuery(list), USERS_PER_PAGE)
  const isOpening = useRef(false)
  useShowRefusal(page.error)

  useEffect(() => {
    // A load that ends while the row's page is on its way must not take what was just kept for the return.
    if (page.isLoaded && !isOpening.current) forgetSearch()
  }, [page.isLoaded])

  function open(row: UserRow): void {
    isOpening.current = true
    rememberSearch(list, compact)
    void navigate({ to: '/user/detail', state: { userId: row.userId } })
  }

  return (
    <div className={compact ? layout.stack : layout.parts}>
      <UserFilters initial={list.filters} onSearch={page.submit} compact={compact} />
      <ListResults
        page={page}
        texts={t}
        columns={columns}
        rows={page.data?.users ?? []}
        getRowKey={(row) => row.userId}
        onRowAction={open}
        rowActionLabel={(row) => t.open(row.name)}
      >
        {!compact && (
          <ExportButton
            name="users"
            total={page.total}
            receive={(asked, options) => callForFile(exportUsers, { ...shown(list), ...asked }, options)}
          />
        )}
        {chooser}
      </ListResults>
    </div>
  )
}

/** What is listed, and exported. */
const shown = ({ filters, sort }: ListState<Filters>) => ({
  ...filterInput(filters),
  ...sortInput(sort, USER_SORTS),
})

const usersQuery = (list: ListState<Filters>) =>
  query(listUsers, { ...shown(list), page: list.page, perPage: USERS_PER_PAGE })
