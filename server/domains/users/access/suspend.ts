import { sql } from 'kysely'
import type { ParsedInputOf } from '../../../../contract/endpoint.ts'
import { refuse } from '../../../../contract/errors.ts'
import { type Actor, can, ROLE } from '../../../../contract/permissions.ts'
import type { liftSuspension as liftEndpoint, suspendUser as endpoint } from '../../../../contract/users.ts'
import type { Tx } from '../../../db/database.ts'
import type { Handler } from '../../../http/handler.ts'
import { differences } from '../../../records/audit.ts'
import { keepingAdmins } from '../../roles/index.ts'
import { reasonDetail, changeUser } from '../queries.ts'
import { endAccess, endLinks } from '../../account/index.ts'

/** Reason of a suspension by hand: its code, and a text, which may be '' unless the code is OTHER. */
export type Suspension = Pick<ParsedInputOf<typeof endpoint>, 'suspendedFor' | 'reason'>

/**
 * Returns whether the actor may lift a suspension. One for a security incident requires a person with the permission to
 * manage administrators, because the actor may be part of the incident (rules/users#suspension-by-hand).
 * @param suspendedFor null for a suspension for inactivity
 */
export const mayLift = (actor: Actor, suspendedFor: string | null): boolean =>
  suspendedFor !== 'INCIDENT' || (can(actor, 'autho_admin_manage') && actor.isUnattended !== true)

/** Column values that end a suspension. */
export const LIFTED = { suspendedAt: null, suspendedFor: null, suspendedReason: null } as const

/**
 * Suspends any number of accounts by hand in a few statements, and ends their access and email links
 * (rules/users#suspension-by-hand). Replaces earlier suspensions.
 * @param users their rows, locked by the caller, who also writes the audit row
 * @throws {Refusal} LAST_ADMIN, LAST_ADMIN_ENDS
 */
export async function suspendAccounts(
  tx: Tx,
  users: readonly { id: string; roleCode: string }[],
  { suspendedFor, reason }: Suspension,
): Promise<void> {
  const ids = users.map(({ id }) => id)
  const suspend = () =>
    tx
      .updateTable('users')
      .set({
        suspendedAt: sql`now()`,
        suspendedFor,
        suspendedReason: reason === '' ? null : reason,
        updatedAt: sql`now()`,
      })
      .where('id', '=', sql<string>`any(${ids}::bigint[])`)
      .execute()
  await (users.some(({ roleCode }) => roleCode === ROLE.admin) ? keepingAdmins(tx, suspend) : suspend())
  await endAccess(tx, ...ids)
  await endLinks(tx, ids)
}

/**
 * Suspends an account by hand as `suspendAccounts`, even if it is suspended for inactivity. Its sessions and email
 * links end. Writes the audit row.
 * @throws {Refusal} RECORD_CHANGED if it is already suspended by hand; LAST_ADMIN, LAST_ADMIN_ENDS; FORBIDDEN and
 * USER_NOT_FOUND as `lockUser`
 */
export const suspendUser: Handler<typeof endpoint> = (call, { userId, ...suspension }) =>
  changeUser(call, userId, async (tx, user) => {
    if (user.suspendedFor !== null) refuse('RECORD_CHANGED')
    await suspendAccounts(tx, [user], suspension)
    return suspension
  })

/**
 * Lifts a suspension of any kind, and writes the audit row. Sessions from before stay ended. The trigger
 * `users_confirm` restarts the count of inactivity.
 * @throws {Refusal} RECORD_CHANGED if the account is not suspended; INCIDENT_LIFT unless `mayLift`; FORBIDDEN and
 * USER_NOT_FOUND as `lockUser`
 */
export const liftSuspension: Handler<typeof liftEndpoint> = (call, { userId, reason }) =>
  changeUser(call, userId, async (tx, user) => {
    if (user.suspendedAt === null) refuse('RECORD_CHANGED')
    if (!mayLift(call.actor, user.suspendedFor)) refuse('INCIDENT_LIFT')
    await endAccess(tx, user.id)
    await tx
      .updateTable('users')
      .set({ ...LIFTED, updatedAt: sql`now()` })
      .where('id', '=', user.id)
      .execute()
    return { ...differences(user, LIFTED), ...reasonDetail(reason) }
  })
