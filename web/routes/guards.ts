import { redirect, type HistoryState, type ParsedLocation } from '@tanstack/react-router'
import { logout } from '../../contract/account/session.ts'
import type { PagePath } from '../../contract/pages.ts'
import { call } from '../api/client.ts'
import { deleteDrafts } from '../delete-drafts.ts'
import { endSession, mustChangePassword, mustSetUpFactor, sessionUserId } from '../session.ts'
import { leadBackTo } from './next.ts'

/* Where an address leads before its screen is loaded. */

/**
 * The login guard (rules/frame#login-guard): without a session user id to /login, with a temporary password to /password
 * alone (rules/account#temporary-password), without the second factor that has to be to /second-factor. All lead here in the end.
 */
export function guard(path: PagePath, location: ParsedLocation): void {
  const state = leadBackTo(location, null)
  if (sessionUserId() === null) throw redirect({ to: '/login', replace: true, state })
  const gate = mustChangePassword() ? '/password' : mustSetUpFactor() ? '/second-factor' : path
  if (path !== gate) throw redirect({ to: gate, replace: true, state })
}

/**
 * A return to the search without words of its own: the search that was kept (rules/users#search-memory), written into
 * the address.
 */
export async function restoreUserSearch(search: Record<string, string | undefined>): Promise<void> {
  if (Object.keys(search).length > 0) return
  const kept = (await import('../screens/users/search/search-memory.ts')).rememberedWords()
  if (Object.keys(kept).length > 0) throw redirect({ to: '/user/search', search: kept, replace: true })
}

/** The other way round: with a session, to /main. */
export function toMainWithSession(): void {
  if (sessionUserId() !== null) throw redirect({ to: '/main', replace: true })
}

/** How long /logout waits for the server: nothing is shown meanwhile, and this browser has forgotten already. */
const LOGOUT_TIMEOUT_MS = 3_000

/**
 * /logout (rules/account#logout): calls logout, clears, goes to /login, whether or not the server answers. The screen asks
 * first if a link led here: a notice, a mail or another site must not end a session.
 */
export async function leave(_search: unknown, { isLoggingOut }: HistoryState): Promise<void> {
  if (sessionUserId() !== null && isLoggingOut !== true) return
  deleteDrafts()
  if (sessionUserId() !== null) {
    const signal = AbortSignal.timeout(LOGOUT_TIMEOUT_MS)
    // The call has taken the session that it ends by the time that the session is forgotten here.
    const told = call(logout, {}, { inline: 'everything', signal }).catch(() => undefined)
    endSession()
    await told
  }
  throw redirect({ to: '/login', replace: true })
}
