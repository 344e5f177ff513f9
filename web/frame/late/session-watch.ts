import { useEffect } from 'react'
import { checkSession, extendSession, getAuthority, listMenus } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { lastActivity } from '../../activity.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate, query, queryClient } from '../../api/query.ts'
import { isSessionPaused, sessionUserId } from '../../session.ts'
import { LOOK_EVERY_MS, takeLook } from '../late.tsx'
import { keepLimits, sessionLimits } from './session-limits.ts'

/**
 * Looks once a minute, and whenever the page comes into sight, whether the session still lives: somebody who only
 * looks on is told when it has ended (rules/account#session-watch), and the menu follows what the role may do by now.
 */
export function useSessionWatch(): void {
  useEffect(() => {
    function look(): void {
      if (document.visibilityState === 'visible' && sessionUserId() !== null) void lookAtSession()
    }
    if (takeLook()) look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}

/**
 * Asks how the session stands. The look alone does not keep it alive (rules/account#session-watch); that somebody is
 * busy at the page does (rules/account#activity).
 * @param isUse whether it uses the session; if somebody was busy here since the server was told last, unless told
 */
export async function lookAtSession(isUse = lastActivity() > (sessionLimits()?.usedAt ?? 0)): Promise<void> {
  if (isSessionPaused()) return
  const askedAt = Date.now()
  try {
    const now = await call(isUse ? extendSession : checkSession, {}, { inline: 'serverFailure' })
    keepLimits(now, askedAt, isUse)
    await follow(now)
  } catch (error) {
    // The global error handling has shown the end of a session. An unavailable server does not matter here: the
    // user has not requested anything.
    if (!(error instanceof CallError)) throw error
  }
}

/** Reads menu and authority again when they say something else than the server does now. */
async function follow(now: OutputOf<typeof checkSession>): Promise<void> {
  const known = queryClient.getQueryData(query(getAuthority, {}).queryKey)
  if (known === undefined) return
  const text = ({ groupName, functions }: Pick<typeof now, 'groupName' | 'functions'>) =>
    [groupName, ...functions.toSorted()].join()
  if (text(known) !== text(now)) await Promise.all([invalidate(getAuthority), invalidate(listMenus)])
}
