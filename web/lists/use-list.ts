import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { readListState, writeListState, type ListWords } from './list-address.ts'
import { controlOf, type Filters, type ListControl, type ListState } from './list-state.ts'

/**
 * A list whose filters, page and order stand in the address: back, reload and a link that was sent show the same.
 * Its route takes the words as `search: listWords` (web/routes/router.tsx).
 * @param defaults the filters of a fresh list, by their words
 * @param sortable the keys of the columns that it sorts by
 */
export function useListInAddress<F extends Filters>(
  defaults: F,
  sortable: readonly string[],
): ListControl<F> {
  const words: ListWords = useSearch({ strict: false })
  const navigate = useNavigate()
  return controlOf(readListState(words, defaults, sortable), (next, how) => {
    const search = writeListState(next, defaults)
    // The page stays where it is scrolled to: the table is what changes.
    void navigate({ to: '.', search, replace: how === 'replace', resetScroll: false })
  })
}

/** A list that is a panel of another page: its state is its own and ends with it. */
export function useOwnList<F extends Filters>(initial: () => ListState<F>): ListControl<F> {
  const [state, setState] = useState(initial)
  return controlOf(state, setState)
}
