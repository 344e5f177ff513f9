import type { AnyRouter } from '@tanstack/react-router'
import type { login } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { requiredPage } from '../../routes/guards.ts'
import { returnTarget, type ReturnTo } from '../../routes/return-to.ts'
import { startSession } from '../../session.ts'

/**
 * Stores the session of a login, and opens the page that the user must complete first, or else the one that the login
 * returns to (rules/account#after-the-login).
 * @param next the page that the login returns to; /main without one
 */
export async function continueLogin(
  router: Pick<AnyRouter, 'navigate'>,
  session: OutputOf<typeof login>,
  next: ReturnTo | undefined,
): Promise<void> {
  startSession(session)
  const state = next === undefined ? {} : { next }
  const to = requiredPage()
  await router.navigate(to === undefined ? returnTarget(state, session.userId) : { to, replace: true, state })
}
