import { useSelection } from '../../../lists/use-selection.ts'
import { rememberedChoice } from '../search/search-memory.ts'
import { filterInput, type UserFilters } from '../search/search-state.ts'

/** Selection in the user list, as `useUserSelection` returns it. */
export type UserSelection = ReturnType<typeof useUserSelection>

/**
 * Manages the selection in the user list: single users, or all results except some (rules/users#bulk-changes). Opening
 * a row and going back keeps it; another search clears it.
 * @param total number of results
 */
export function useUserSelection(filters: UserFilters, total = 0) {
  const selection = useSelection(filters, total, (search) => {
    const choice = rememberedChoice(search)
    return choice && { isAll: choice.isAll, ids: choice.userIds }
  })
  const { search, isAll, ids } = selection
  const { withdrawn: _, ...found } = filterInput(filters)
  return {
    ...selection,
    /** The selection to store while a row is open. */
    choice: { search, isAll, userIds: [...ids] },
    /** The selection as input of the bulk calls. */
    asked: isAll ? { found, except: [...ids] } : { userIds: [...ids] },
  }
}
