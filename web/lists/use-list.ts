import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { PagePath, pages, WordOf } from '../../contract/pages.ts'
import { readListState, writeListState, type ListWords } from './list-address.ts'
import { controlOf, type Filters, type ListControl, type ListState } from './list-state.ts'

/** The pages whose address has words for where a list is; the others' would drop them. */
type ListPath = {
  [P in PagePath]: 'page' | 'sort' | 'order' extends WordOf<(typeof pages)[P]> ? P : never
}[PagePath]

/** Nothing, where every filter has a word in the address of the page. */
type Wordless<P extends PagePath, F> = Record<Exclude<keyof F, WordOf<(typeof pages)[P]>>, never>

/**
 * A list whose filters, page and order stand in the address: back, reload and a link that was sent show the same.
 * @param path the page, whose `words` in `contract/pages.ts` hold those of the list
 * @param defaults the filters of a fresh list, by their words
 * @param sortable the keys of the columns that it sorts by
 */
export function useListInAddress<P extends ListPath, F extends Filters>(
  path: P,
  defaults: F & Wordless<P, F>,
  sortable: readonly string[],
): ListControl<F> {
  const words: ListWords = useSearch({ strict: false })
  const navigate = useNavigate()
  const to: string = path
  return controlOf<F>(readListState(words, defaults, sortable), (next, how) => {
    const search = writeListState(next, defaults)
    // The page stays where it is scrolled to: the table is what changes.
    void navigate({ to, search, replace: how === 'replace', resetScroll: false })
  })
}

/** A list that is a panel of another page: its state is its own and ends with it. */
export function useOwnList<F extends Filters>(initial: () => ListState<F>): ListControl<F> {
  const [state, setState] = useState(initial)
  return controlOf(state, setState)
}
