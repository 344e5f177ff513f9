import type { HistoryState, NavigateOptions, ParsedLocation } from '@tanstack/react-router'
import { framedPages } from '../../contract/pages.ts'

/**
 * Where a login leads instead of /main (rules/account#after-the-login). It stands in the state of the history, which
 * nobody outside the page can write, and not in the address.
 */
export interface Next {
  path: string
  search: Record<string, string>
  hash: string
  /** What the address does not say, as whose record it is. */
  state: Pick<HistoryState, 'userId' | 'backTo'>
  /** Whose page it was; null: anybody's. */
  of: string | null
}

/**
 * Logs the user out without asking again. The state of the history tells the portal's own controls from links to /logout, which
 * anybody can write.
 */
export const LOG_OUT = { to: '/logout', state: { isLoggingOut: true } } as const

type Place = Pick<ParsedLocation, 'pathname' | 'search' | 'hash' | 'state'>

/**
 * Has the login lead back to a page of the portal; nothing of another address.
 * @param of whose page it was, if somebody was signed in
 */
export function leadBackTo({ pathname, search, hash, state }: Place, of: string | null): { next?: Next } {
  if (!isPage(pathname)) return {}
  const { userId, backTo } = state
  const known = { ...(userId !== undefined && { userId }), ...(backTo !== undefined && { backTo }) }
  return { next: { path: pathname, search, hash, state: known, of } }
}

/** Where somebody who has just signed in goes: back to what they wanted or had, else to /main. */
export function afterLogin(
  { next }: HistoryState,
  userId: string,
): Pick<NavigateOptions, 'to' | 'search' | 'hash' | 'state' | 'replace'> {
  if (next === undefined || !isPage(next.path) || (next.of ?? userId) !== userId)
    return { to: '/main', replace: true }
  const { path, search, hash, state } = next
  return { to: path as '/main', search, hash, state, replace: true }
}

function isPage(path: string): boolean {
  return Object.hasOwn(framedPages, path)
}
