import * as z from 'zod/mini'
import { readStorage } from '../../../read-storage.ts'
import type { ListState } from '../../../lists/list-state.ts'
import { userList } from './user-list.ts'
import type { UserFilters } from './search-state.ts'

/**
 * What the user search leaves in session storage when a row is opened (rules/users#search-memory): filters, page,
 * order and who is chosen, to be restored on return, and whether the row was opened on the home page, which is where 'back' then leads.
 */
const SEARCH = 'user_search'
const CHOICE = 'user_choice'
const FROM_MAIN = 'from_main'

/** As they would stand in the address. */
const words = z.record(z.string(), z.string())

/** Who is chosen of a search: everybody whom it finds but for these people, or these people alone. */
const choice = z.object({ search: z.string(), isAll: z.boolean(), userIds: z.array(z.string()) })

/** Kept when a row is opened. */
export function rememberSearch(
  list: ListState<UserFilters>,
  chosen: z.output<typeof choice>,
  fromMain: boolean,
): void {
  sessionStorage.setItem(SEARCH, JSON.stringify(userList.write(list)))
  sessionStorage.setItem(CHOICE, JSON.stringify(chosen))
  if (fromMain) sessionStorage.setItem(FROM_MAIN, 'Y')
  else sessionStorage.removeItem(FROM_MAIN)
}

/** What was kept, or a fresh search. */
export function rememberedSearch(): ListState<UserFilters> {
  return userList.read(readStorage(sessionStorage, SEARCH, words) ?? {})
}

/** Who was chosen of this search when a row of it was opened. */
export function rememberedChoice(search: string): z.output<typeof choice> | undefined {
  const kept = readStorage(sessionStorage, CHOICE, choice)
  return kept?.search === search ? kept : undefined
}

/** The words of the address for what was kept; none where a fresh search shows the same. */
export function rememberedWords(): Record<string, string> {
  return userList.write(rememberedSearch())
}

/** Whether the open user was opened on the home page. */
export function isFromMain(): boolean {
  return sessionStorage.getItem(FROM_MAIN) === 'Y'
}

/** After each list load session storage is cleared, all of it (rules/users#search-memory). */
export function forgetSearch(): void {
  sessionStorage.clear()
}
