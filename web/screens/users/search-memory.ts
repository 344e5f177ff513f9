/**
 * What the user search leaves in session storage when a row is opened (spec §2): filters and page, to be
 * restored on return, and whether the row was opened on the home page, which is where 'back' then leads.
 */
const SEARCH = 'user_search'
const FROM_MAIN = 'from_main'

/** The filters of the user search as the person left them. */
export interface UserFilters {
  BELONGTO_CODE: string
  NAME: string
  PHONE_NUMBER: string
  APPROVA_CODE: string
}

/** One search: filters and page. */
interface UserSearchState {
  filters: UserFilters
  page: number
}

/** Kept when a row is opened. */
export function rememberSearch(search: UserSearchState, fromMain: boolean): void {
  sessionStorage.setItem(SEARCH, JSON.stringify(search))
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

/** Whether the open user was opened on the home page. */
export function isFromMain(): boolean {
  return sessionStorage.getItem(FROM_MAIN) === 'Y'
}

/** After each list load session storage is cleared, all of it (spec §2). */
export function forgetSearch(): void {
  sessionStorage.clear()
}

function isSearch(kept: unknown): kept is UserSearchState {
  if (!isObject(kept) || !isObject(kept['filters'])) return false
  const { filters, page } = kept
  const names = ['BELONGTO_CODE', 'NAME', 'PHONE_NUMBER', 'APPROVA_CODE'] as const
  return (
    Number.isInteger(page) && Number(page) > 0 && names.every((name) => typeof filters[name] === 'string')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
