import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { listUsers, USERS_PER_PAGE } from '../../../contract/users.ts'
import { query } from '../../api/query.ts'
import { useMessages } from '../../language.tsx'
import { Page } from '../../ui/Card.tsx'
import { classes } from '../../ui/classes.ts'
import { Pager } from '../../ui/Pager.tsx'
import { useTellRefusal } from '../../forms/refusal.ts'
import {
  forgetSearch,
  rememberedSearch,
  rememberSearch,
  type UserFilters as Filters,
} from './search-memory.ts'
import { NO_FILTERS, UserFilters } from './user-filters.tsx'
import styles from './user-search.module.css'
import { UserTable, type UserRow } from './user-table.tsx'

/** /user/search. */
export function UserSearchScreen() {
  const title = useMessages().frame.titles.userSearch
  return (
    <Page title={title}>
      <UserSearch />
    </Page>
  )
}

/**
 * User search (spec §2): filters, 5 rows a page, a row opens the user. `compact` is the panel on the home
 * page of HR administrators: without ID and registration date, and 'back' leads to the home page again.
 */
export function UserSearch({ compact = false }: { compact?: boolean | undefined }) {
  const { users: words, lists } = useMessages()
  const t = words.search
  const navigate = useNavigate()
  const [search, setSearch] = useState(() => rememberedSearch() ?? { filters: NO_FILTERS, page: 1 })
  const users = useUsers(search.filters, search.page)
  const hasLoaded = users.isSuccess && !users.isFetching
  const isOpening = useRef(false)
  const total = useLast(users.data?.TOTAL_COUNT)
  const pageCount = Math.ceil((total ?? 0) / USERS_PER_PAGE)

  // Rows went away meanwhile (a withdrawal on the last page): the last page that there still is.
  if (hasLoaded && pageCount > 0 && search.page > pageCount) {
    setSearch({ ...search, page: pageCount })
  }

  useEffect(() => {
    // A load that ends while the row's page is on its way must not take what was just kept for the return.
    if (hasLoaded && !isOpening.current) forgetSearch()
  }, [hasLoaded])

  function submit(filters: Filters): void {
    const isSame = search.page === 1 && JSON.stringify(filters) === JSON.stringify(search.filters)
    if (isSame) void users.refetch()
    else setSearch({ filters, page: 1 })
  }

  function open(row: UserRow): void {
    isOpening.current = true
    rememberSearch(search, compact)
    void navigate({ to: '/user/detail', state: { userId: row.USER_ID } })
  }

  return (
    <div className={classes(styles.search, compact && styles.compact)}>
      <UserFilters
        initial={search.filters}

        onSearch={submit}
        compact={compact}
      />
      <div className={styles.results}>
        <output className={styles.total}>{total !== undefined && t.total(total.toLocaleString())}</output>
        <UserTable
          rows={users.data?.DATA ?? []}
          state={users.isFetching ? 'loading' : users.isError ? 'error' : 'ready'}
          error={users.error?.isUnavailable === false ? users.error.msg : t.failed}
          onRetry={() => void users.refetch()}
          onOpen={open}
          compact={compact}
        />
        <Pager
          page={search.page}
          pageCount={pageCount}
          onChange={(page) => setSearch({ ...search, page })}
          labels={lists.pager}
        />
      </div>
    </div>
  )
}

/** One page of users; the previous rows stay while the next load. */
function useUsers(filters: Filters, page: number) {
  const users = useQuery({
    ...query(listUsers, {
      ...filters,
      // Numbers are kept as digits; people write 010-1234-5678.
      PHONE_NUMBER: filters.PHONE_NUMBER.replaceAll(/[\s-]/g, ''),
      PAGE: page,
      PER_PAGE: USERS_PER_PAGE,
    }),
    placeholderData: keepPreviousData,
  })
  useTellRefusal(users.error)
  return users
}

/** The last known value: a page that failed to load leaves the pager and the count as they were. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
