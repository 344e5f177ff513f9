import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallError } from '../api/call-error.ts'
import { prefetch } from '../api/query.ts'
import { listAddress, type Addressed, type ListAddress, type ListWords } from './list-address.ts'
import { storedSize } from './list-size.ts'
import {
  controlOf,
  freshList,
  type Filters,
  type ListControl,
  type ListState,
  type SizedList,
} from './list-state.ts'
import { useListPage } from './use-list-page.ts'

interface Definition<
  F extends Filters,
  Output extends { totalCount: number },
  Key extends QueryKey,
> extends Addressed<F> {
  perPage: number
  /** Asks for the page that the list is at, of so many rows. */
  query: (list: ListState<F>, perPage: number) => UseQueryOptions<Output, CallError, Output, Key>
}

/** A list of a screen: its filters, page and order stand in the address, and its page is asked for beside the screen. */
export function defineList<F extends Filters, Output extends { totalCount: number }, Key extends QueryKey>(
  definition: Definition<F, Output, Key>,
) {
  const { perPage: usual, query, path } = definition
  const { read, write } = listAddress(definition)
  /** A page of an address is one of its own size; without one the person's own size counts. */
  const placed = (words: ListWords) => {
    const state = read(words)
    return words['page'] === undefined && state.perPage === undefined
      ? { ...state, perPage: storedSize(path, usual) }
      : state
  }
  return {
    read,
    write,
    /** Asks for the page that an address shows. */
    load: (words: ListWords): void => {
      const list = placed(words)
      void prefetch(query(list, list.perPage ?? usual))
    },
    useList: (): ListControl<F> => {
      const list = useListInAddress({ read: placed, write }, { list: path, usual })
      const isNarrowed = Object.entries(definition.filters).some(
        ([name, text]) => list.filters[name] !== text,
      )
      return { ...list, clear: isNarrowed ? () => list.search(definition.filters) : undefined }
    },
    usePage: (list: ListControl<F>) => useListPage(list, query(list, list.perPage ?? usual), usual, path),
  }
}

/**
 * A list whose filters, page and order stand in the address: back, reload and a link that was sent show the same.
 * Its route takes the words as `search` (contract/pages.ts).
 */
export function useListInAddress<F extends Filters>(
  { read, write }: ListAddress<F>,
  sized?: SizedList,
): ListControl<F> {
  const navigate = useNavigate()
  return controlOf(
    read(useSearch({ strict: false })),
    (next, how) => {
      // The page stays where it is scrolled to: the table is what changes.
      void navigate({ to: '.', search: write(next), replace: how === 'replace', resetScroll: false })
    },
    sized,
  )
}

/** A list that is a panel of another page: its state is its own and ends with it. */
export function useOwnList<F extends Filters>(
  initial: () => ListState<F>,
  sized?: SizedList,
): ListControl<F> {
  const [state, setState] = useState(() => ({
    ...initial(),
    ...(sized && { perPage: storedSize(sized.list, sized.usual) }),
  }))
  return controlOf(state, setState, sized)
}

/** Such a list without filters. */
export function usePlainList(): ListControl {
  return useOwnList(() => freshList({}))
}
