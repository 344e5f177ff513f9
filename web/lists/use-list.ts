import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallError } from '../api/call-error.ts'
import { prefetch } from '../api/query.ts'
import { listAddress, type Addressed, type ListAddress, type ListWords } from './list-address.ts'
import { controlOf, freshList, type Filters, type ListControl, type ListState } from './list-state.ts'
import { useListPage } from './use-list-page.ts'

interface Definition<
  F extends Filters,
  Output extends { totalCount: number },
  Key extends QueryKey,
> extends Addressed<F> {
  perPage: number
  /** Asks for the page that the list is at. */
  query: (list: ListState<F>) => UseQueryOptions<Output, CallError, Output, Key>
}

/** A list of a screen: its filters, page and order stand in the address, and its page is asked for beside the screen. */
export function defineList<F extends Filters, Output extends { totalCount: number }, Key extends QueryKey>({
  perPage,
  query,
  ...addressed
}: Definition<F, Output, Key>) {
  const address = listAddress(addressed)
  return {
    ...address,
    /** Asks for the page that an address shows. */
    load: (words: ListWords): void => void prefetch(query(address.read(words))),
    useList: () => useListInAddress(address),
    usePage: (list: ListControl<F>) => useListPage(list, query(list), perPage),
  }
}

/**
 * A list whose filters, page and order stand in the address: back, reload and a link that was sent show the same.
 * Its route takes the words as `search` (web/routes/router.tsx).
 */
export function useListInAddress<F extends Filters>({ read, write }: ListAddress<F>): ListControl<F> {
  const navigate = useNavigate()
  return controlOf(read(useSearch({ strict: false })), (next, how) => {
    // The page stays where it is scrolled to: the table is what changes.
    void navigate({ to: '.', search: write(next), replace: how === 'replace', resetScroll: false })
  })
}

/** A list that is a panel of another page: its state is its own and ends with it. */
export function useOwnList<F extends Filters>(initial: () => ListState<F>): ListControl<F> {
  const [state, setState] = useState(initial)
  return controlOf(state, setState)
}

/** Such a list without filters. */
export function usePlainList(): ListControl {
  return useOwnList(() => freshList({}))
}
