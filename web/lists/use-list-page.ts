import { keepPreviousData, useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CallError } from '../api/call-error.ts'
import type { Filters, ListControl } from './list-state.ts'

/** The page that a list shows, and what is shown around its rows. */
export type ListPage<Output extends { totalCount: number }, F extends Filters = Filters> = ReturnType<
  typeof useListPage<Output, F>
>

/**
 * Reads the page of a list; the previous rows stay while the next load. A page that no longer exists (rows went away, an
 * address of yesterday) leads to the last one that there is.
 * @param usual rows a page, unless the person chose another number
 * @param name the list's in the browser's storage, where its columns can be resized
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
  const found = useQuery({ ...options, placeholderData: keepPreviousData })
  // A page that failed to load leaves the count and the pager as they were.
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
    list,
    name,
    data: found.data,
    error: found.error,
    isLoaded: found.isSuccess && !found.isFetching,
    /** How many there are, as far as is known. */
    total,
    pageCount,
    rowsPerPage,
    usual,
    state:
      found.isFetching || isPastEnd
        ? ('loading' as const)
        : found.isError
          ? ('error' as const)
          : ('ready' as const),
    retry: () => void found.refetch(),
    /** Search submit: the same search again asks again, another one begins at page 1 (rules/lists#paging). */
    submit: (filters: F) => {
      const isSame = list.page === 1 && JSON.stringify(filters) === JSON.stringify(list.filters)
      if (isSame) void found.refetch()
      else list.search(filters)
    },
  }
}
