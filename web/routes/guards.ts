import { redirect, type HistoryState, type ParsedLocation } from '@tanstack/react-router'
import { portalConfig } from '../api/config.ts'
import { logout } from '../../contract/account/session.ts'
import type { PagePath } from '../../contract/pages.ts'
import { call } from '../api/client.ts'
import { deleteDrafts } from '../delete-drafts.ts'
import {
  endSession,
  mustAcceptPrivacy,
  mustChangePassword,
  mustSetUpFactor,
  sessionUserId,
} from '../session.ts'
import { returnStateFor } from './return-to.ts'

/* Redirects before the screen of a URL is loaded. */

/**
 * Redirects before a page opens: a guest to /login (rules/frame#login-guard), a user with a temporary password to
 * /password (rules/account#temporary-password), a user without a required second factor to /second-factor, and one who
 * owes the acceptance of the privacy notice to /privacy. All of these pages return to the requested one.
 * @throws the redirect
 */
export function requireLogin(path: PagePath, location: ParsedLocation): void {
  const state = returnStateFor(location, null)
  if (sessionUserId() === null) throw redirect({ to: '/login', replace: true, state })
  const gate = requiredPage() ?? path
  if (path !== gate) throw redirect({ to: gate, replace: true, state })
}

/**
 * Returns the page that the user must complete before any other (`requireLogin`); undefined if there is none. The login
 * leads to it, too.
 */
export function requiredPage(): '/password' | '/second-factor' | '/privacy' | undefined {
  if (mustChangePassword()) return '/password'
  if (mustSetUpFactor()) return '/second-factor'
  return mustAcceptPrivacy() ? '/privacy' : undefined
}

/**
 * Redirects /user/search without query parameters to the search that the tab has stored, if any
 * (rules/users#search-memory).
 * @throws the redirect
 */
export async function restoreUserSearch(search: Record<string, string | undefined>): Promise<void> {
  if (Object.keys(search).length > 0) return
  const stored = (await import('../screens/users/search/search-memory.ts')).rememberedWords()
  if (Object.keys(stored).length > 0) throw redirect({ to: '/user/search', search: stored, replace: true })
}

/**
 * Redirects a user with a session to /main.
 * @throws the redirect
 */
export function redirectIfLoggedIn(): void {
  if (sessionUserId() !== null) throw redirect({ to: '/main', replace: true })
}

/** Milliseconds that /logout waits for the server. The page is empty meanwhile, and the browser has no session any more. */
const LOGOUT_TIMEOUT_MS = 3_000

/**
 * Returns the URL at which the user's session at the identity provider ends; '' if it does not end, or without a
 * response.
 */
const providerLogoutUrl = (): Promise<string> =>
  import('../../contract/sso.ts')
    .then(({ getProviderLogout }) =>
      call(getProviderLogout, {}, { inline: 'everything', signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) }),
    )
    .then(
      (answer) => answer.logoutUrl,
      () => '',
    )

/**
 * Deletes all drafts, ends the session or all sessions of the user (`logout`), and redirects to /login, also if the
 * server does not respond within 3 seconds (rules/account#logout). If the session began at an identity provider that
 * ends its own session, it redirects there (rules/sso#logout). Does nothing if the user followed a link to /logout
 * (`isLoggingOut` is missing): the screen asks first, because a notice, an email or another site must not end a
 * session.
 * @throws the redirect to /login
 */
export async function logOut(_search: unknown, { isLoggingOut }: HistoryState): Promise<void> {
  if (sessionUserId() !== null && isLoggingOut === undefined) return
  deleteDrafts()
  if (sessionUserId() !== null) {
    const { sso = [] } = portalConfig()
    const logoutUrl = sso.length > 0 ? await providerLogoutUrl() : ''
    const signal = AbortSignal.timeout(LOGOUT_TIMEOUT_MS)
    // The call has read the session token before `endSession` deletes it.
    const response = call(
      logout,
      { allDevices: isLoggingOut === 'everywhere' },
      { inline: 'everything', signal },
    ).catch(() => undefined)
    endSession()
    await response
    if (logoutUrl !== '') return location.assign(logoutUrl)
  }
  throw redirect({ to: '/login', replace: true })
}
