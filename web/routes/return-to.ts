import type { HistoryState, NavigateOptions, ParsedLocation } from '@tanstack/react-router'
import { framedPages } from '../../contract/pages.ts'

/**
 * The page that a login returns to (rules/account#after-the-login). It is part of the history state and not of the URL,
 * because another site cannot write the history state.
 */
export interface ReturnTo {
  path: string
  search: Record<string, string>
  hash: string
  /** State that the URL of the page lacks, such as the user of a record. */
  state: Pick<HistoryState, 'userId' | 'backTo'>
  /** Login ID of the only user who may return to it; null if any user may. */
  of: string | null
}

/** Navigation that logs the user out without a question. Only the portal can write this history state, so a link cannot. */
export const LOG_OUT = { to: '/logout', state: { isLoggingOut: 'here' } } as const

/** Navigation that logs the user out on every device without a question. */
export const LOG_OUT_EVERYWHERE = { to: '/logout', state: { isLoggingOut: 'everywhere' } } as const

/** The parts of a location that a return needs. */
type Location = Pick<ParsedLocation, 'pathname' | 'search' | 'hash' | 'state'>

/**
 * Returns the history state that makes a login return to a page, including record and query parameters; {} for a page
 * without the menu.
 * @param of login ID of the user who left the page; null if any user may return to it
 */
export function returnStateFor(
  { pathname, search, hash, state }: Location,
  of: string | null,
): { next?: ReturnTo } {
  if (!isFramedPage(pathname)) return {}
  const { userId, backTo } = state
  const pageState = { ...(userId !== undefined && { userId }), ...(backTo !== undefined && { backTo }) }
  return { next: { path: pathname, search, hash, state: pageState, of } }
}

/**
 * Returns the navigation after a login: to the page that the user requested or left. It is /main if there is none, or
 * if another user left it.
 * @param userId login ID of the user who has logged in
 */
export function returnTarget(
  { next }: HistoryState,
  userId: string,
): Pick<NavigateOptions, 'to' | 'search' | 'hash' | 'state' | 'replace'> {
  if (next === undefined || !isFramedPage(next.path) || (next.of ?? userId) !== userId)
    return { to: '/main', replace: true }
  const { path, search, hash, state } = next
  return { to: path as '/main', search, hash, state, replace: true }
}

/** Returns whether a page has the menu. */
function isFramedPage(path: string): boolean {
  return Object.hasOwn(framedPages, path)
}
