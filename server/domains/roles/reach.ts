import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { type Actor, can, powersBeyond, ROLE } from '../../../contract/permissions.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

/**
 * Whether a role holds no power that the actor lacks: `reaches` of contract/permissions.ts as a condition of a query,
 * so that what is out of reach is never read (rules/roles#reach).
 */
export function withinReach(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  const beyond = powersBeyond(actor)
  if (beyond.length === 0) return sql`true`
  // An array, evaluated once for the whole query and not for every row.
  return sql`${roleCode} <> all (array(
    select role_code from role_functions where function_name in (${sql.join(beyond)})
  ))`
}

/** Whether the actor may give the role to somebody: `canGrant` of contract/permissions.ts as a condition of a query. */
export function grantable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  return sql`(case when ${roleCode} = ${ROLE.user} then ${withinReach(actor, roleCode)} else ${roleCode} <> all (array(
    select role_code from role_functions where function_name <> all (${[...actor.functions]}::text[])
  )) end)`
}

/** Whether the actor may administer an account of this role; `canAdminister` but for one's own account. */
export function administrable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  return can(actor, 'autho_user_manage') ? withinReach(actor, roleCode) : sql`false`
}

/** The account of a login ID, withdrawn ones apart, as the row `u` of a query. */
export function accountOf(db: Kysely<Database>, loginId: string) {
  return db.selectFrom('users as u').where('u.login_id', '=', loginId).where('u.withdrawn_at', 'is', null)
}

/** The same of another person whom the actor may administer: of any other nothing is read. */
export function administrableAccountOf(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  return accountOf(db, loginId)
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
}

/**
 * Refuses for an account that was not found within reach: only its ID is asked for.
 * @throws {Refusal} FORBIDDEN for one's own account and those out of reach, USER_NOT_FOUND where there is none
 */
export async function refuseAccount(db: Kysely<Database>, loginId: string): Promise<never> {
  const row = await accountOf(db, loginId).select('u.id').executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}
