import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Actor, can, powersBeyond } from '../../../contract/permissions.ts'

/**
 * Whether a role holds no power that the actor lacks: `canGrant` of contract/permissions.ts as a condition of a query,
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

/** Whether the actor may administer an account of this role; `canAdminister` but for one's own account. */
export function administrable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  return can(actor, 'autho_user_manage') ? withinReach(actor, roleCode) : sql`false`
}
