import { writeListState } from '../../lists/list-address.ts'
import type { ListState } from '../../lists/list-state.ts'
import { NO_FILTERS, type UserFilters } from './search-state.ts'

/**
 * What the user search leaves in session storage when a row is opened (rules/users#search-memory): filters, page and
 * order, to be restored on return, and whether the row was opened on the home page, which is where 'back' then leads.
 */
const SEARCH = 'user_search'
const FROM_MAIN = 'from_main'

/** One search: filters, page and order. */
type UserSearchState = ListState<UserFilters>

/** Kept when a row is opened. */
export function rememberSearch({ filters, page, sort }: UserSearchState, fromMain: boolean): void {
  sessionStorage.setItem(SEARCH, JSON.stringify({ filters, page, sort }))
  if (fromMain) sessionStorage.setItem(FROM_MAIN, 'Y')
  else sessionStorage.removeItem(FROM_MAIN)
}

/** What was kept, or null. A text that is no search (an older release, a curious person) counts as none. */
export function rememberedSearch(): UserSearchState | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(SEARCH) ?? 'null')
    return isSearch(kept) ? kept : null
  } catch {
    return null
  }
}

/** The words of the address for what was kept; null when there is nothing that a fresh search does not show. */
export function rememberedWords(): Record<string, string | undefined> | null {
  const kept = rememberedSearch()
  const words = kept === null ? {} : writeListState(kept, NO_FILTERS)
  return Object.keys(words).length === 0 ? null : words
}

/** Whether the open user was opened on the home page. */
export function isFromMain(): boolean {
  return sessionStorage.getItem(FROM_MAIN) === 'Y'
}

/** After each list load session storage is cleared, all of it (rules/users#search-memory). */
export function forgetSearch(): void {
  sessionStorage.clear()
}

function isSearch(kept: unknown): kept is UserSearchState {
  if (!isObject(kept) || !isObject(kept['filters'])) return false
  const { filters, page, sort } = kept
  const isSort = sort === null || (isObject(sort) && typeof sort['by'] === 'string')
  return (
    isSort &&
    Number.isInteger(page) &&
    Number(page) > 0 &&
    Object.keys(NO_FILTERS).every((name) => typeof filters[name] === 'string')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
