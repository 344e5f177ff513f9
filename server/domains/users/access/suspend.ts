import { type Transaction, sql } from 'kysely'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import { type Actor, can, ROLE } from '../../../../contract/permissions.ts'
import type { liftSuspension as liftEndpoint, suspendUser as endpoint } from '../../../../contract/users.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../services/audit.ts'
import { keepingAdmins } from './last-admin.ts'
import { lockUser } from '../queries.ts'
import { endAccess, endLinks } from '../../account/index.ts'

/** Reasons of a suspension by hand. */
export type Suspension = Pick<ParsedInputOf<typeof endpoint>, 'suspendedFor' | 'reason'>

/**
 * Returns whether the actor may lift a suspension. One for a security incident requires the permission to manage administrators, because
 * the actor may be part of the incident (rules/users#suspension-by-hand).
 */
export const mayLift = (actor: Actor, suspendedFor: string | null): boolean =>
  suspendedFor !== 'INCIDENT' || can(actor, 'autho_admin_manage')

/** The columns of an account that is not suspended. */
export const LIFTED = { suspended_at: null, suspended_for: null, suspended_reason: null } as const

/**
 * Suspends any number of accounts by hand in a few statements, and ends their sessions and email links (rules/users#suspension-by-hand).
 * @param users their rows, locked by the caller, who also writes the audit row
 * @throws {Refusal} LAST_ADMIN, LAST_ADMIN_ENDS
 */
export async function suspendAccounts(
  tx: Transaction<Database>,
  users: readonly { id: string; role_code: string }[],
  { suspendedFor, reason }: Suspension,
): Promise<void> {
  const ids = users.map(({ id }) => id)
  const suspend = () =>
    tx
      .updateTable('users')
      .set({
        suspended_at: sql`now()`,
        suspended_for: suspendedFor,
        suspended_reason: reason === '' ? null : reason,
        updated_at: sql`now()`,
      })
      .where('id', '=', sql<string>`any(${ids}::bigint[])`)
      .execute()
  await (users.some(({ role_code }) => role_code === ROLE.admin) ? keepingAdmins(tx, suspend) : suspend())
  await endAccess(tx, ...ids)
  await endLinks(tx, ids)
}

/** Suspends an account by hand, even if it is suspended for inactivity, but not if it is already suspended by hand. */
export const suspendUser: Handler<typeof endpoint> = async (call, { userId, ...suspension }) => {
  await call.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, call.actor, userId, false)
    if (user.suspended_for !== null) refuse('RECORD_CHANGED')
    await suspendAccounts(tx, [user], suspension)
    await call.audit(tx, { target: userId, detail: suspension })
  })
  return {}
}

/** Lifts a suspension. The trigger `users_confirm` restarts the count of inactivity. */
export const liftSuspension: Handler<typeof liftEndpoint> = async (call, { userId, reason }) => {
  await call.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, call.actor, userId, false)
    if (user.suspended_at === null) refuse('RECORD_CHANGED')
    if (!mayLift(call.actor, user.suspended_for)) refuse('INCIDENT_LIFT')
    await endAccess(tx, user.id)
    await tx
      .updateTable('users')
      .set({ ...LIFTED, updated_at: sql`now()` })
      .where('id', '=', user.id)
      .execute()
    const detail = differences(user, LIFTED)
    await call.audit(tx, { target: userId, detail: reason === '' ? detail : { ...detail, reason } })
  })
  return {}
}
