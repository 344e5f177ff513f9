import { type RawBuilder, sql } from 'kysely'
import { type FunctionName, POWERS, ROLE } from '../../contract/permissions.ts'

/** Permission that a role needs to administer users. */
const MANAGE: FunctionName = 'autho_user_manage'
/** SQL list of the privileged permissions. */
const powers = sql.join(POWERS.map((name) => sql.lit(name)))

/**
 * Returns the SQL condition that the role of a user reaches records of an affiliation: it is for the whole company, or
 * the affiliation is within the user's branch (rules/roles#branch-roles) or company (rules/affiliations#external).
 * @param by alias of the row of users
 */
export function reachesAffiliation(by: string, affiliationCode: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(select coalesce(${affiliationCode} = any(reached), reached is null) from (
    select affiliations_reached(${sql.ref(`${by}.affiliationCode`)}, span) as reached from roles where code = ${sql.ref(`${by}.roleCode`)}) as reach)`
}

/**
 * Returns the SQL condition that one user of a query may administer another one: `administrable` of
 * server/domains/roles/admin-scope.ts for two rows (rules/roles#reach). Does not check that they may log in or are two
 * users.
 * @param by alias of the row of users who administers
 * @param about alias of the row of users who is administered
 * @param grants true if the first user must also be allowed to grant the role of the second one, as `canGrant` checks
 */
export function administers(by: string, about: string, grants = false): RawBuilder<boolean> {
  // `within` of contract/permissions.ts is not null: of one branch, or of another company.
  const isLimited = sql`affiliations_reached(${sql.ref(`${by}.affiliationCode`)}, of_admin.span) is not null`
  const counted = grants
    ? sql`(of_account.code <> ${sql.lit(ROLE.user)} or needed.function_name in (${powers}))`
    : sql`needed.function_name in (${powers})`
  const isOfSpan = grants
    ? sql`(of_account.span = 'branch' or of_account.code = ${sql.lit(ROLE.user)} or not ${isLimited})`
    : sql`true`
  // The case comes first: the rest would be evaluated for each pair of users.
  return sql<boolean>`(case when ${sql.ref(`${by}.roleCode`)} = any(array(select role_code from role_functions where function_name = ${sql.lit(MANAGE)})) then exists (
    select from roles of_admin, roles of_account
    where of_admin.code = ${sql.ref(`${by}.roleCode`)} and of_account.code = ${sql.ref(`${about}.roleCode`)} and ${isOfSpan}
      and not exists (
        select from role_functions needed where needed.role_code = of_account.code and ${counted}
          and (of_account.span = 'all' and needed.function_name in (${powers}) and ${isLimited}
            or not exists (select from role_functions held where held.role_code = of_admin.code and held.function_name = needed.function_name)))
      and ${reachesAffiliation(by, sql.ref(`${about}.affiliationCode`))}) else false end)`
}
