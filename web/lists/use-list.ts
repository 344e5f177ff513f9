import type { QueryKey, UseQueryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { CallError } from '../api/call-error.ts'
import { prefetch } from '../api/query.ts'
import { listAddress, type UrlList, type ListAddress, type ListWords } from './list-url.ts'
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

/** A list in the URL with its query. */
interface Definition<
  F extends Filters,
  Output extends { totalCount: number },
  Key extends QueryKey,
> extends UrlList<F> {
  perPage: number
  /** Returns the query of the list's page. */
  query: (list: ListState<F>, perPage: number) => UseQueryOptions<Output, CallError, Output, Key>
}

/**
 * Defines the list of a screen, whose state is part of the URL.
 * @returns `read` and `write`, which convert the query parameters; `load`, which prefetches the page of a URL while the
 * screen's code loads; and the hooks `useList` (state and actions) and `usePage` (the loaded page)
 */
export function defineList<F extends Filters, Output extends { totalCount: number }, Key extends QueryKey>(
  definition: Definition<F, Output, Key>,
) {
  const { perPage: usual, query, path } = definition
  const { read, write } = listAddress(definition)
  /** Reads a URL; without page and size it has the size that the user has stored. */
  const readWithSize = (words: ListWords) => {
    const state = read(words)
    return words['page'] === undefined && state.perPage === undefined
      ? { ...state, perPage: storedSize(path, usual) }
      : state
  }
  return {
    read,
    write,
    /** Prefetches the page of a URL. */
    load: (words: ListWords): void => {
      const list = readWithSize(words)
      void prefetch(query(list, list.perPage ?? usual))
    },
    useList: (): ListControl<F> => {
      const list = useListInAddress({ read: readWithSize, write }, { list: path, usual })
      const isNarrowed = Object.entries(definition.filters).some(
        ([name, text]) => list.filters[name] !== text,
      )
      return { ...list, clear: isNarrowed ? () => list.search(definition.filters) : undefined }
    },
    usePage: (list: ListControl<F>) => useListPage(list, query(list, list.perPage ?? usual), usual, path),
  }
}

/**
 * Returns the state and the actions of a list whose state is part of the URL, so that 'Back', a reload and a shared
 * link show the same. Its route must declare the query parameters (contract/pages.ts).
 * @param sized the list, if users may choose its rows per page
 */
export function useListInAddress<F extends Filters>(
  { read, write }: ListAddress<F>,
  sized?: SizedList,
): ListControl<F> {
  const navigate = useNavigate()
  return controlOf(
    read(useSearch({ strict: false })),
    (next, how) => {
      // Only the table changes, so keep the scroll position.
      void navigate({ to: '.', search: write(next), replace: how === 'replace', resetScroll: false })
    },
    sized,
  )
}

/**
 * Returns the state and the actions of a list in a panel of another page. The state is lost when the panel closes.
 * @param sized the list, if users may choose its rows per page; the stored choice replaces that of `initial`
 */
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

/** Returns the state and the actions of a list in a panel of another page (`useOwnList`) that has no filters. */
export function usePlainList(): ListControl {
  return useOwnList(() => freshList({}))
}
