import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CallError } from '../api/call-error.ts'
import type { Filters, ListControl } from './list-state.ts'

/** The page of a list as `useListPage` returns it: rows, loading state, pager and search. */
export type ListPage<Output extends { totalCount: number }, F extends Filters = Filters> = ReturnType<
  typeof useListPage<Output, F>
>

/**
 * Reads the page of a list that its state names. Shows the previous rows while the next ones load. Goes to the last
 * page if the requested one no longer exists. After a failed load the last number of rows and the pager stay.
 * @param options query of the page
 * @param usual default number of rows per page
 * @param name name of the list in storage keys, if its columns can be resized
 */
export function useListPage<
  Output extends { totalCount: number },
  F extends Filters = Filters,
  Key extends QueryKey = QueryKey,
>(
  list: ListControl<F>,
  options: UseQueryOptions<Output, CallError, Output, Key>,
  usual: number,
  name?: string,
) {
  const rowsPerPage = list.perPage ?? usual
  const query = useQuery({ ...options, placeholderData: keepPreviousData })
  // After a failed load, keep the last count and the pager.
  const loadedTotal = query.data?.totalCount
  const [lastTotal, setLastTotal] = useState(loadedTotal)
  if (loadedTotal !== undefined && loadedTotal !== lastTotal) setLastTotal(loadedTotal)
  const total = loadedTotal ?? lastTotal
  const pageCount = Math.ceil((total ?? 0) / rowsPerPage)

  const isPastEnd = query.isSuccess && !query.isFetching && pageCount > 0 && list.page > pageCount
  const toLastPage = useEffectEvent(() => list.replace({ ...list, page: pageCount }))
  useEffect(() => {
    if (isPastEnd) toLastPage()
  }, [isPastEnd])

  return {
    list,
    name,
    data: query.data,
    error: query.error,
    isLoaded: query.isSuccess && !query.isFetching,
    /** Number of rows of all pages; undefined before the first load. */
    total,
    pageCount,
    rowsPerPage,
    usual,
    state:
      query.isFetching || isPastEnd
        ? ('loading' as const)
        : query.isError
          ? ('error' as const)
          : ('ready' as const),
    retry: () => void query.refetch(),
    /** Submits a search: the same search on page 1 loads again, any other begins at page 1 (rules/lists#paging). */
    submit: (filters: F) => {
      const isSame = list.page === 1 && JSON.stringify(filters) === JSON.stringify(list.filters)
      if (isSame) void query.refetch()
      else list.search(filters)
    },
  }
}
