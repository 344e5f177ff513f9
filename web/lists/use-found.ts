import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Filters, ListControl } from './list-state.ts'

/** What a list shows around its rows. */
interface Found<F extends Filters> {
  /** How many there are, as far as is known: a page that failed to load leaves it and the pager as they were. */
  total: number | undefined
  pageCount: number
  state: 'loading' | 'error' | 'ready'
  /** Search submit: the same search again asks again, another one begins at page 1 (rules/lists#paging). */
  submit: (filters: F) => void
}

/**
 * A list in pages and what was found of it. A page that is no more (rows went away, an address of yesterday) leads to
 * the last one that there is.
 */
export function useFound<F extends Filters>(
  list: ListControl<F>,
  found: Pick<
    UseQueryResult<{ totalCount: number }>,
    'data' | 'isSuccess' | 'isFetching' | 'isError' | 'refetch'
  >,
  rowsPerPage: number,
): Found<F> {
  const present = found.data?.totalCount
  const [last, setLast] = useState(present)
  if (present !== undefined && present !== last) setLast(present)
  const total = present ?? last
  const pageCount = Math.ceil((total ?? 0) / rowsPerPage)

  const isPastEnd = found.isSuccess && !found.isFetching && pageCount > 0 && list.page > pageCount
  const toLastPage = useEffectEvent(() => list.replace({ ...list, page: pageCount }))
  useEffect(() => {
    if (isPastEnd) toLastPage()
  }, [isPastEnd])

  return {
    total,
    pageCount,
    state: found.isFetching || isPastEnd ? 'loading' : found.isError ? 'error' : 'ready',
    submit(filters) {
      const isSame = list.page === 1 && JSON.stringify(filters) === JSON.stringify(list.filters)
      if (isSame) void found.refetch()
      else list.search(filters)
    },
  }
}
