import { useState } from 'react'
import { rememberedChoice } from '../search/search-memory.ts'
import { filterInput, type UserFilters } from '../search/search-state.ts'

interface State {
  /** True if all results of the search are selected except `ids`. Otherwise only `ids` are. */
  isAll: boolean
  ids: ReadonlySet<string>
}

const NOBODY: State = { isAll: false, ids: new Set() }

/** The selection in the user list. */
export type Selection = ReturnType<typeof useSelection>

/**
 * Manages the selection among the results of a search (rules/users#many-at-once). It survives paging and opening a row; another
 * search clears it.
 * @param total number of results
 */
export function useSelection(filters: UserFilters, total = 0) {
  const search = JSON.stringify(filters)
  const [kept, keep] = useState(() => ({ search, state: rememberedState(search) }))
  if (kept.search !== search) keep({ search, state: NOBODY })
  const { isAll, ids } = kept.search === search ? kept.state : NOBODY
  const change = (state: State) => keep({ search, state })
  const isChosen = (userId: string) => isAll !== ids.has(userId)
  const { withdrawn: _, ...found } = filterInput(filters)

  return {
    isAll,
    count: isAll ? Math.max(total - ids.size, 0) : ids.size,
    isChosen,
    /** Adds users to the selection or removes them. */
    choose: (userIds: readonly string[], wanted: boolean): void => {
      const next = new Set(ids)
      for (const userId of userIds) {
        if (wanted === isAll) next.delete(userId)
        else next.add(userId)
      }
      change({ isAll, ids: next })
    },
    chooseAll: () => change({ isAll: true, ids: new Set() }),
    clear: () => change(NOBODY),
    /** The selection to store while a row is open. */
    choice: { search, isAll, userIds: [...ids] },
    /** The selection as input of the bulk calls. */
    asked: isAll ? { found, except: [...ids] } : { userIds: [...ids] },
  }
}

function rememberedState(search: string): State {
  const { isAll, userIds } = rememberedChoice(search) ?? { isAll: false, userIds: [] }
  return { isAll, ids: new Set(userIds) }
}
