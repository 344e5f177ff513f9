import { useState } from 'react'
import { rememberedChoice } from '../search/search-memory.ts'
import { filterInput, type UserFilters } from '../search/search-state.ts'

interface State {
  /** Everybody whom the search finds, but for `ids`; otherwise `ids` alone. */
  isAll: boolean
  ids: ReadonlySet<string>
}

const NOBODY: State = { isAll: false, ids: new Set() }

/** Who is chosen in the user list. */
export type Selection = ReturnType<typeof useSelection>

/**
 * Who is chosen of what a search finds (rules/users#many-at-once): it stays while a person pages and while a row is open,
 * and another search clears it.
 * @param total how many the search finds
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
    /** Takes people in or leaves them out. */
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
    /** To be kept while a row is open. */
    choice: { search, isAll, userIds: [...ids] },
    /** As the calls of many at once take it. */
    asked: isAll ? { found, except: [...ids] } : { userIds: [...ids] },
  }
}

function rememberedState(search: string): State {
  const { isAll, userIds } = rememberedChoice(search) ?? { isAll: false, userIds: [] }
  return { isAll, ids: new Set(userIds) }
}
