import { useState } from 'react'

/** A selection among the results of a search. */
export interface SelectionState {
  /** True if all results are selected except `ids`. Otherwise only `ids` are. */
  isAll: boolean
  ids: readonly string[]
}

/** A selection of no results. */
const NOTHING: SelectionState = { isAll: false, ids: [] }

/** State and actions of the selection in a list. */
export type Selection = ReturnType<typeof useSelection>

/**
 * Manages the selection among the results of a search (rules/lists#selection). It survives paging; another search
 * clears it.
 * @param filters of the search
 * @param total number of results
 * @param restore returns the selection that was stored for this search, by the text that this function returns as
 * `search`; undefined for none
 */
export function useSelection(
  filters: object,
  total = 0,
  restore?: (search: string) => SelectionState | undefined,
) {
  const search = JSON.stringify(filters)
  const [kept, keep] = useState(() => ({ search, state: restore?.(search) ?? NOTHING }))
  if (kept.search !== search) keep({ search, state: NOTHING })
  const { isAll, ids } = kept.search === search ? kept.state : NOTHING
  const change = (state: SelectionState) => keep({ search, state })

  return {
    search,
    isAll,
    ids,
    /** Number of selected results. */
    count: isAll ? Math.max(total - ids.length, 0) : ids.length,
    /** Returns whether a row is selected. */
    isChosen: (id: string) => isAll !== ids.includes(id),
    /** Adds rows to the selection or removes them. */
    choose(rows: readonly string[], isWanted: boolean): void {
      const next = new Set(ids)
      for (const id of rows) {
        if (isWanted === isAll) next.delete(id)
        else next.add(id)
      }
      change({ isAll, ids: [...next] })
    },
    /** Selects all results, also those on other pages. */
    chooseAll: () => change({ isAll: true, ids: [] }),
    clear: () => change(NOTHING),
  }
}
