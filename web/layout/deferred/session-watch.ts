import { useEffect } from 'react'
import { checkSession, extendSession, getAuthority, listMenus } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { lastActivity } from '../../activity.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate, query, queryClient } from '../../api/query.ts'
import { isSessionPaused, sessionUserId } from '../../session.ts'
import { POLL_MS, takePendingCheck } from '../deferred.tsx'
import { storeLimits } from './session-limits.ts'

/**
 * Polls the session of a signed-in user once a minute while the page is visible, and whenever it becomes visible. A user who only reads the page sees when the
 * session has ended (rules/account#session-watch), and the menu follows changes of the user's permissions.
 */
export function useSessionWatch(): void {
  useEffect(() => {
    function poll(): void {
      if (document.visibilityState === 'visible' && sessionUserId() !== null) void pollSession()
    }
    if (takePendingCheck()) poll()
    const timer = setInterval(poll, POLL_MS)
    document.addEventListener('visibilitychange', poll)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', poll)
    }
  }, [])
}

/**
 * Time of the last poll of this tab that restarted the idle timer; 0 if there was none. Other calls restart it, too, but
 * do not count here. Not shared: the storage of
 * two tabs may lag, and an old activity would count twice.
 */
let reportedAt = 0

/**
 * Reads the limits and permissions of the session, stores the limits for all tabs, and reloads menu and permissions if
 * they changed. Does nothing while the session is paused. Never rejects for a failed call; an expired session is
 * handled by the global error handling. A poll does not restart the idle timer (rules/account#session-watch), unless
 * the user was active (rules/account#activity).
 * @param isUse whether to restart the idle timer; by default if the user was active since the last poll that did
 */
export async function pollSession(isUse = lastActivity() > reportedAt): Promise<void> {
  if (isSessionPaused()) return
  const askedAt = Date.now()
  try {
    const now = await call(isUse ? extendSession : checkSession, {}, { inline: 'serverFailure' })
    storeLimits(now, askedAt)
    if (isUse) reportedAt = askedAt
    await refreshPermissions(now)
  } catch (error) {
    // The global error handling has shown the end of a session. An unavailable server does not matter here: the
    // user has not requested anything.
    if (!(error instanceof CallError)) throw error
  }
}

/** Loads menu and permissions again if they are not those of the server's response. */
async function refreshPermissions(now: OutputOf<typeof checkSession>): Promise<void> {
  const cached = queryClient.getQueryData(query(getAuthority, {}).queryKey)
  if (cached === undefined) return
  const text = ({ groupName, functions }: Pick<typeof now, 'groupName' | 'functions'>) =>
    [groupName, ...functions.toSorted()].join()
  if (text(cached) !== text(now)) await Promise.all([invalidate(getAuthority), invalidate(listMenus)])
}
