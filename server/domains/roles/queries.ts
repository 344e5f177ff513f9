import { type Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import {
  type Actor,
  canGrant,
  type FunctionName,
  type Rights,
  type Span,
} from '../../../contract/permissions.ts'
import { grantable, withinReach } from './admin-scope.ts'
import { mayLogIn } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** A role with its names, permissions and span, as the audit log stores it. */
export interface RoleState {
  roleName: string
  roleNameEn: string
  functions: FunctionName[]
  span: Span
}

/**
 * Returns the SQL expression for the span of a role: the whole company or one branch.
 * @param code column with the code of the role
 */
export const spanOf = (code: RawBuilder<unknown>) => sql<Span>`(select span from roles where code = ${code})`

/**
 * Returns the SQL expression for the affiliations within the branch of a user, as `Actor.within` has them; null for a
 * role of the whole company.
 * @param u alias of the row of users
 */
export const withinOf = (u: string) =>
  sql<
    string[] | null
  >`affiliations_reached(${sql.ref(`${u}.affiliationCode`)}, ${spanOf(sql.ref(`${u}.roleCode`))})`

/**
 * Returns the SQL expression for the permissions of a role, sorted by name.
 * @param code column with the code of the role
 */
export const functionsOf = (code: RawBuilder<unknown>) => sql<FunctionName[]>`array(
  select function_name from role_functions where role_code = ${code} order by function_name collate "C"
)`

/** Returns the query for the users whose role has a permission and who may log in today, in the order of users.id. */
export function holdersOf(db: Kysely<Database>, name: FunctionName) {
  return db
    .selectFrom('users')
    .where('roleCode', 'in', (eb) =>
      eb.selectFrom('roleFunctions').select('roleCode').where('functionName', '=', name),
    )
    .where(mayLogIn())
    .orderBy('id')
}

/** Returns the name in a language of each role that has a permission, in the order of the selects. */
export async function findHolders(db: Kysely<Database>, name: FunctionName, language: Language) {
  return db
    .selectFrom('roles as r')
    .innerJoin('roleFunctions as f', 'f.roleCode', 'r.code')
    .where('f.functionName', '=', name)
    .select(language === 'ko' ? 'r.groupName as roleName' : 'r.nameEn as roleName')
    .orderBy('r.sortOrder')
    .orderBy('r.code')
    .execute()
}

/**
 * Returns every role with its permissions and the number of its users, without withdrawn ones: the built-in roles
 * first, then the others in the order of their creation.
 */
export async function findRoles(db: Kysely<Database>) {
  return db
    .selectFrom('roles as r')
    .select((eb) => [
      'r.code as roleCode',
      'r.groupName as roleName',
      'r.nameEn as roleNameEn',
      functionsOf(sql.ref('r.code')).as('functions'),
      'r.span',
      'r.builtIn',
      eb
        .selectFrom('users as u')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('u.roleCode', '=', 'r.code')
        .where('u.withdrawnAt', 'is', null)
        .$asScalar()
        .$notNull()
        .as('userCount'),
    ])
    .orderBy('r.sortOrder')
    .orderBy('r.code')
    .execute()
}

/**
 * Locks a role within the actor's reach until the transaction ends, so that no user is given it meanwhile, and returns all of
 * its columns.
 * @throws {Refusal} FORBIDDEN for a role out of reach, ROLE_NOT_FOUND if there is none
 */
export async function lockRole(tx: Transaction<Database>, actor: Actor, code: string) {
  const role = await tx
    .selectFrom('roles')
    .selectAll()
    .where('code', '=', code)
    .where((eb) => withinReach(actor, eb.ref('code')))
    .forUpdate()
    .executeTakeFirst()
  if (role !== undefined) return role
  const known = await tx.selectFrom('roles').select('code').where('code', '=', code).executeTakeFirst()
  return refuse(known === undefined ? 'ROLE_NOT_FOUND' : 'FORBIDDEN')
}

/** Returns the present state of a role in the transaction, for the audit log. */
export async function stateOf(tx: Transaction<Database>, code: string): Promise<RoleState> {
  return tx
    .selectFrom('roles as r')
    .select([
      'r.groupName as roleName',
      'r.nameEn as roleNameEn',
      functionsOf(sql.ref('r.code')).as('functions'),
      'r.span',
    ])
    .where('r.code', '=', code)
    .executeTakeFirstOrThrow()
}

/** Returns whether a user has the role. Withdrawn accounts do not count. */
export async function isInUse(tx: Transaction<Database>, code: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('roleCode', '=', code)
    .where('withdrawnAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the SQL query for the code of a role that a user is to be given; no row if there is none. It locks the role,
 * so that it is neither deleted nor changed before the transaction ends.
 */
export function heldRole(code: string): RawBuilder<{ code: string }> {
  return sql`select code from roles where code = ${code} for key share`
}

/**
 * Locks roles that users are to be given until the transaction ends: none is deleted or gains permissions before.
 * @param codes without duplicates
 * @throws {Refusal} CODE_NOT_FOUND if a role does not exist; FORBIDDEN for a role that the actor may not grant (rules/roles#giving)
 */
export async function holdGrantableRoles(
  tx: Transaction<Database>,
  actor: Actor,
  ...codes: readonly string[]
): Promise<void> {
  const { held, granted } = await grantableAmong(tx, actor, codes)
  if (held.size < codes.length) refuse('CODE_NOT_FOUND')
  if (granted.size < codes.length) refuse('FORBIDDEN', { raisesRights: true })
}

/**
 * Locks the roles with these codes until the transaction ends.
 * @returns in `held` the codes that exist, in `granted` those that the actor may grant (rules/roles#giving)
 */
export async function grantableAmong(
  tx: Transaction<Database>,
  actor: Actor,
  codes: readonly string[],
): Promise<{ held: Set<string>; granted: Set<string> }> {
  if (codes.length === 0) return { held: new Set(), granted: new Set() }
  const roles = tx.selectFrom('roles').select('code').where('code', 'in', codes)
  const held = await roles.orderBy('code').forKeyShare().execute()
  // A separate statement, as in `checkGrantable`.
  const granted = await roles.where((eb) => grantable(actor, eb.ref('code'))).execute()
  return { held: new Set(held.map(({ code }) => code)), granted: new Set(granted.map(({ code }) => code)) }
}

/**
 * Refuses a role that the actor may not grant (rules/roles#giving). The transaction has locked the role: this separate
 * statement also sees permissions that were granted while it waited for the lock.
 * @throws {Refusal} FORBIDDEN
 */
export async function checkGrantable(tx: Transaction<Database>, actor: Actor, code: string): Promise<void> {
  const role: Rights = await tx
    .selectNoFrom([functionsOf(sql.val(code)).as('functions'), spanOf(sql.val(code)).as('span')])
    .executeTakeFirstOrThrow()
  if (!canGrant(actor, { roleCode: code, ...role })) refuse('FORBIDDEN', { raisesRights: true })
}

/**
 * Returns the roles that the actor may grant (rules/roles#giving), with their names in a language, in the order of the
 * drop-down lists.
 * @param reached true to return all roles within the actor's reach (rules/roles#reach) instead; `grantable` then tells
 * whether the actor may grant the role
 */
export async function findGrantableRoles(
  db: Kysely<Database>,
  actor: Actor,
  language: Language,
  reached: boolean,
) {
  return db
    .selectFrom('roles')
    .select(['code', language === 'ko' ? 'groupName as codeName' : 'nameEn as codeName'])
    .$if(reached, (roles) => roles.select((eb) => grantable(actor, eb.ref('code')).as('grantable')))
    .where((eb) => (reached ? withinReach : grantable)(actor, eb.ref('code')))
    .orderBy('sortOrder')
    .orderBy('code')
    .execute()
}
