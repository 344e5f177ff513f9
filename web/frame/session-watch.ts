import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkSession, getAuthority, listMenus } from '../../contract/common.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/client.ts'
import { invalidate, query, queryClient } from '../api/query.ts'
import { rememberFunctions } from '../session.ts'

const LOOK_EVERY_MS = 60_000

/**
 * Looks once a minute, and whenever the page comes into sight, whether the session still lives: somebody who only
 * reads is told when it has ended (rules/account#session-watch), and the menu follows what the role may do by now. The
 * look itself does not keep the session alive (rules/account#session).
 */
export function useSessionWatch(): void {
  const functions = useQuery(query(getAuthority, {})).data?.functions
  useEffect(() => {
    if (functions !== undefined) rememberFunctions(functions)
  }, [functions])
  useEffect(() => {
    async function look(): Promise<void> {
      if (document.visibilityState !== 'visible') return
      try {
        await follow(await call(checkSession, {}, { inline: 'serverFailure' }))
      } catch (error) {
        // The shared handling has told of the end of the session; a server that is briefly away does not matter to
        // somebody who asks it for nothing.
        if (!(error instanceof CallError)) throw error
      }
    }
    const lookNow = () => void look()
    const timer = setInterval(lookNow, LOOK_EVERY_MS)
    document.addEventListener('visibilitychange', lookNow)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lookNow)
    }
  }, [])
}

/** Reads menu and authority again when they say something else than the server does now. */
async function follow(now: OutputOf<typeof checkSession>): Promise<void> {
  const known = queryClient.getQueryData(query(getAuthority, {}).queryKey)
  if (known === undefined) return
  const text = ({ groupName, functions }: typeof now) => [groupName, ...functions.toSorted()].join()
  if (text(known) !== text(now)) await Promise.all([invalidate(getAuthority), invalidate(listMenus)])
}
