import { type Expression, type Kysely, type RawBuilder, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { type Actor, can, POWERS, powersBeyond, ROLE } from '../../../contract/permissions.ts'
import { isExternal, isPerson } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../callers/sessions.ts'

/**
 * Returns the SQL condition that a role has no privileged permission that the actor lacks, and for an actor of one
 * branch, none in the whole company: `reaches` of contract/permissions.ts, so that rows out of reach are never read
 * (rules/roles#reach).
 * @param roleCode column with the code of the role
 */
export function withinReach(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  const beyond = powersBeyond(actor, 'branch')
  if (actor.within === null && beyond.length === 0) return sql`true`
  // An array is evaluated once for the whole query and not for every row.
  return sql`${roleCode} <> all (array(
    select role_code from role_functions where function_name = any(${beyond}::text[]) ${
      actor.within === null
        ? sql``
        : sql`or function_name = any(${POWERS}::text[]) and role_code in (select code from roles where span = 'all')`
    }
  ))`
}

/**
 * Returns the SQL condition that a record belongs to an affiliation within the actor's branch; true for an actor of the
 * whole company (rules/roles#branch-roles).
 * @param affiliationCode column with the code of its affiliation
 */
export function inBranch(
  actor: Pick<Actor, 'within'>,
  affiliationCode: Expression<string>,
): RawBuilder<boolean> {
  return actor.within === null ? sql`true` : inAffiliations(affiliationCode, actor.within)
}

/**
 * Returns the SQL condition that people of this affiliation are in the actor's company; true for an actor of the own
 * company (rules/affiliations#external).
 * @param affiliationCode column with the code of the affiliation
 */
export function inCompany(
  { company }: Pick<SignedIn, 'company'>,
  affiliationCode: Expression<string>,
): RawBuilder<boolean> {
  return company === null ? sql`true` : inAffiliations(affiliationCode, company)
}

/**
 * Returns the SQL condition that a column has one of these affiliations. Compares a single one as such, so that an
 * index also gives the order.
 */
export function inAffiliations(column: Expression<string>, codes: readonly string[]): RawBuilder<boolean> {
  const [only] = codes
  return codes.length === 1 ? sql`${column} = ${only}` : sql`${column} = any(${codes}::text[])`
}

/**
 * Returns the codes of the affiliations that a list is limited to: the affiliation of a filter with those below it, as
 * far as they are in the actor's branch; without a filter the branch.
 * @param filter code of an affiliation; '' for all
 * @returns null if the list is not limited
 */
export async function affiliationsOf(
  db: Kysely<Database>,
  { within }: Pick<Actor, 'within'>,
  filter: string,
): Promise<readonly string[] | null> {
  if (filter === '') return within
  const { codes } = await db
    .selectNoFrom(sql<string[]>`affiliation_within(${filter})`.as('codes'))
    .executeTakeFirstOrThrow()
  return within === null ? codes : codes.filter((code) => within.includes(code))
}

/**
 * Returns the SQL condition that the actor may grant a role: `canGrant` of contract/permissions.ts
 * (rules/roles#giving).
 * @param roleCode column with the code of the role
 */
export function grantable(actor: Actor, roleCode: Expression<string>): RawBuilder<boolean> {
  const isDefault = sql<boolean>`${roleCode} = ${ROLE.user}`
  if (actor.isUnattended === true) return sql`(${isDefault} and ${withinReach(actor, roleCode)})`
  return sql`(case when ${isDefault} then ${withinReach(actor, roleCode)} else ${roleCode} <> all (array(
    select role_code from role_functions where function_name <> all (${actor.functions}::text[])
    ${actor.within === null ? sql`` : sql`union all select code from roles where span = 'all'`}
  )) end)`
}

/**
 * Checks that an affiliation is within the actor's branch (rules/roles#branch-roles).
 * @throws {Refusal} FORBIDDEN
 */
export function requireInBranch({ within }: Pick<Actor, 'within'>, affiliationCode: string): void {
  if (within !== null && !within.includes(affiliationCode)) refuse('FORBIDDEN')
}

/**
 * Returns the SQL condition that the actor may move the account of a row to another affiliation. If an affiliation is a
 * permission, only an actor of the whole company who may grant the role changes it (rules/roles#branch-holders).
 */
export function movable(actor: Actor, u: UserRow): RawBuilder<boolean> {
  const roleCode = sql.ref<string>(`${u}.roleCode`)
  const isFree = sql<boolean>`not ${isBoundToAffiliation(u)}`
  return actor.within === null ? sql<boolean>`(${isFree} or ${grantable(actor, roleCode)})` : isFree
}

/**
 * Returns the SQL condition that the affiliation of a row is a permission: its role is of one branch, as `isBranchRole`,
 * or more than 일반 사용자 in another company, which limits every role (rules/affiliations#external).
 */
export function isBoundToAffiliation(u: UserRow): RawBuilder<boolean> {
  const roleCode = sql.ref(`${u}.roleCode`)
  return sql<boolean>`(${roleCode} = any (array(
      select code from roles where span = 'branch' and code in (select role_code from role_functions)))
    or ${isExternal(sql.ref(`${u}.affiliationCode`))} and ${isPowerful(roleCode)})`
}

/** Returns the SQL condition that a role has a permission; for 일반 사용자, which all users may have, a privileged one. */
export function isPowerful(roleCode: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(${roleCode} = any (array(
    select role_code from role_functions where role_code <> ${ROLE.user} or function_name = any(${POWERS}::text[]))))`
}

/** Alias of a row of users, or of their counts: both have role_code and affiliation_code. */
type UserRow = 'u' | 'users'

/**
 * Returns the SQL condition that the account of a row has a role within the actor's reach and an affiliation within
 * their branch. Does not check what the actor may do.
 */
export function isWithinReach(actor: Actor, u: UserRow): RawBuilder<boolean> {
  return sql`(${withinReach(actor, sql.ref(`${u}.roleCode`))} and ${inBranch(actor, sql.ref(`${u}.affiliationCode`))})`
}

/**
 * Returns the SQL condition that the actor may administer the account `u`: the actor has autho_user_manage and the
 * account is within reach. Does not exclude the actor's own account.
 */
export function administrable(actor: Actor, u: UserRow): RawBuilder<boolean> {
  return can(actor, 'autho_user_manage') ? isWithinReach(actor, u) : sql`false`
}

/**
 * Returns the SQL condition that the actor may read the account `u` as an administrator. Does not exclude the actor's
 * own account, which the actor may always read.
 */
export function readable(actor: Actor, u: UserRow): RawBuilder<boolean> {
  return can(actor, 'autho_user_search') ? isWithinReach(actor, u) : administrable(actor, u)
}

/** Returns the query for the account of a login ID as the row `u`, unless it is withdrawn. */
export function accountOf(db: Kysely<Database>, loginId: string) {
  return db
    .selectFrom('users as u')
    .where('u.loginId', '=', loginId)
    .where('u.withdrawnAt', 'is', null)
    .where(isPerson('u.id'))
}

/** Returns the query for another user's account that the actor may administer. No other row is read. */
export function administrableAccountOf(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  return accountOf(db, loginId).where('u.id', '<>', actor.id).where(administrable(actor, 'u'))
}

/**
 * Refuses a call about an account that a query within the actor's reach did not find. Reads only whether the ID exists,
 * and for an actor of one branch not even that.
 * @throws {Refusal} USER_NOT_FOUND if no account has the ID; else FORBIDDEN, and for an actor of one branch always
 */
export async function refuseAccount(
  db: Kysely<Database>,
  { within }: Pick<Actor, 'within'>,
  loginId: string,
): Promise<never> {
  if (within !== null) refuse('FORBIDDEN')
  const row = await accountOf(db, loginId).select('u.id').executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}
