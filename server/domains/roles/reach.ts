import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { type Actor, can, powersBeyond, ROLE } from '../../../contract/permissions.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

/**
 * Returns the condition that a role has no privileged permission that the actor lacks: `reaches` of contract/permissions.ts as a condition
 * of a query, so that rows out of reach are never read (rules/roles#reach).
 */
export function withinReach(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  const beyond = powersBeyond(actor)
  if (beyond.length === 0) return sql`true`
  // An array is evaluated once for the whole query and not for every row.
  return sql`${roleCode} <> all (array(
    select role_code from role_functions where function_name in (${sql.join(beyond)})
  ))`
}

/** Returns the condition that the actor may grant the role: `canGrant` of contract/permissions.ts as a condition of a query. */
export function grantable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  return sql`(case when ${roleCode} = ${ROLE.user} then ${withinReach(actor, roleCode)} else ${roleCode} <> all (array(
    select role_code from role_functions where function_name <> all (${[...actor.functions]}::text[])
  )) end)`
}

/**
 * Returns the condition that the actor may administer an account of this role: `canAdminister`, without its check for the actor's own
 * account.
 */
export function administrable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  return can(actor, 'autho_user_manage') ? withinReach(actor, roleCode) : sql`false`
}

/** Returns the query for the account of a login ID as the row `u`, unless it is withdrawn. */
export function accountOf(db: Kysely<Database>, loginId: string) {
  return db.selectFrom('users as u').where('u.login_id', '=', loginId).where('u.withdrawn_at', 'is', null)
}

/** Returns the query for another user's account that the actor may administer. No other row is read. */
export function administrableAccountOf(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  return accountOf(db, loginId)
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
}

/**
 * Refuses a call about an account that was not found within reach. Only the ID is looked up.
 * @throws {Refusal} FORBIDDEN for the caller's own account and accounts out of reach, USER_NOT_FOUND if there is none
 */
export async function refuseAccount(db: Kysely<Database>, loginId: string): Promise<never> {
  const row = await accountOf(db, loginId).select('u.id').executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}
