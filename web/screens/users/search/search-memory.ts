import * as z from 'zod/mini'
import { readStorage } from '../../../read-storage.ts'
import type { ListState } from '../../../lists/list-state.ts'
import { userList } from './user-list.ts'
import type { UserFilters } from './search-state.ts'

/**
 * Key in session storage of the filters, page and order, stored when the user opens a row (rules/users#search-memory).
 */
const SEARCH = 'user_search'
/** Key in session storage of the selected users. */
const CHOICE = 'user_choice'
/** Key in session storage that is set if the row was opened on the home page. */
const FROM_MAIN = 'from_main'

/** Schema of the stored search: the query parameters of its URL. */
const words = z.record(z.string(), z.string())

/** Schema of the selected users of a search: all results except these users, or these users only. */
const choice = z.object({ search: z.string(), isAll: z.boolean(), userIds: z.array(z.string()) })

/**
 * Stores the search and its selection in session storage when the user opens a row, so that “back” restores them.
 * @param fromMain whether the row is on the home page, to which “back” then leads
 */
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

/** Returns the search that `rememberSearch` stored in this tab, or one without filters if there is none. */
export function rememberedSearch(): ListState<UserFilters> {
  return userList.read(readStorage(sessionStorage, SEARCH, words) ?? {})
}

/**
 * Returns the users that were selected in this search when the user opened a row.
 * @returns undefined if nothing is stored, or the selection of another search
 */
export function rememberedChoice(search: string): z.output<typeof choice> | undefined {
  const kept = readStorage(sessionStorage, CHOICE, choice)
  return kept?.search === search ? kept : undefined
}

/** Returns the query parameters of the stored search. They are empty if there is none or it has no filters. */
export function rememberedWords(): Record<string, string> {
  return userList.write(rememberedSearch())
}

/** Returns whether the user opened the record from the home page. */
export function isFromMain(): boolean {
  return sessionStorage.getItem(FROM_MAIN) === 'Y'
}

/**
 * Clears all of session storage of this tab, not only the search (rules/users#search-memory). Called after a list has
 * loaded.
 */
export function forgetSearch(): void {
  sessionStorage.clear()
}
