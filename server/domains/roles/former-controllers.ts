import { sql, type Transaction } from 'kysely'
import { LINK } from '../../../contract/account.ts'
import {
  type Actor,
  can,
  canGrant,
  functionsWithin,
  type GivenRole,
  hasPower,
  isBranchRole,
  reaches,
  type Rights,
  ROLE,
} from '../../../contract/permissions.ts'
import { isExternal, isPerson } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { nobodysPassword } from '../../services/password.ts'
import { endAccess, isHeld, isPasswordOwn, sendInvitations } from '../account/index.ts'
import { functionsOf } from './queries.ts'

/** Part of a call that changes roles. */
type Granting = Pick<Call, 'services' | 'requester'>

/** A role as a possible controller of accounts. */
interface Role extends Rights {
  code: string
  /** Whether there are other companies, in which the role would be limited. */
  hasCompanies: boolean
}

/** The role of an account (`id` is users.id) before and after a change. */
export interface RoleChange {
  id: string
  before: string
  after: string
  /** True if the account moves to another affiliation, which is a permission. */
  isMoved?: boolean
  /** Whether the account was of another company before the change; by default as it is now. */
  wasOutside?: boolean
}

/** Where an account was before a change and is after it: whether in another company, and whether it moved. */
interface Place {
  isMoved: boolean
  wasOutside: boolean
  isOutside: boolean
}

/**
 * Ends the access of former controllers to the accounts whose new role they could not grant, as `voidAccess`
 * (rules/roles#former-controllers), and the tokens of such program accounts (rules/keys#program-reach). Every path that
 * changes the role of an account calls this in its transaction, and wakes the mail job afterwards.
 */
export async function endFormerControl(
  tx: Transaction<Database>,
  call: Granting,
  changes: readonly RoleChange[],
): Promise<void> {
  const changed = changes.filter(({ before, after, isMoved }) => before !== after || isMoved)
  if (changed.length === 0) return
  const roles = await allRoles(tx, changed)
  const { managed = [], outside = [] } = roles[0] ?? {}
  const rightsOf = (code: string): Rights => roles.find((role) => role.code === code) ?? NO_RIGHTS
  const raisedFor = (controls: Controls) =>
    changed
      .filter(({ id, before, after, isMoved = false, wasOutside }) => {
        const former = { roleCode: before, ...rightsOf(before) }
        const isOutside = outside.includes(id)
        const place = { isMoved, isOutside, wasOutside: wasOutside ?? isOutside }
        return outgrows(roles, former, { roleCode: after, ...rightsOf(after) }, place, controls)
      })
      .map(({ id }) => id)
  const outgrown = changed.filter(
    ({ id, before, after }) => managed.includes(id) && outgrowsProvider(rightsOf(before), rightsOf(after)),
  )
  await voidAccess(tx, call, [...raisedFor(controlsUsers), ...outgrown.map(({ id }) => id)])
  await endTokensOf(tx, raisedFor(controlsPrograms), 'program')
}

/**
 * Ends the access of former controllers, as `endFormerControl`, for all users of a role whose permissions changed.
 * @param before rights of the role before the change
 */
export async function endFormerControlOf(
  tx: Transaction<Database>,
  call: Granting,
  role: GivenRole,
  before: Rights,
): Promise<void> {
  const roles = await allRoles(tx)
  const raised = (controls: Controls) => {
    const [inside = false, outside = false] = [false, true].map((isOutside) => {
      const place = { isMoved: false, isOutside, wasOutside: isOutside }
      return outgrows(roles, { roleCode: role.roleCode, ...before }, role, place, controls)
    })
    return { inside, outside }
  }
  const [ofUsers, ofPrograms] = [raised(controlsUsers), raised(controlsPrograms)]
  const ofProviders = outgrowsProvider(before, role)
  if (![ofUsers, ofPrograms].some(({ inside, outside }) => inside || outside) && !ofProviders) return
  const users = await tx
    .selectFrom('users')
    .select(['id', isManaged.as('isManaged'), isExternal(sql`affiliation_code`).as('isOutside')])
    .where('roleCode', '=', role.roleCode)
    .execute()
  const idsOf = (place: typeof ofUsers, more = false) =>
    users
      .filter((user) => (user.isOutside ? place.outside : place.inside) || (more && user.isManaged))
      .map(({ id }) => id)
  await voidAccess(tx, call, idsOf(ofUsers, ofProviders))
  await endTokensOf(tx, idsOf(ofPrograms), 'program')
}

/**
 * The rights of every identity provider that manages users: it changes users of the whole company, reaches no role with a privileged
 * permission, and gives new accounts 일반 사용자 (rules/scim#reach).
 */
export const PROVIDER_RIGHTS: Actor = {
  userId: '',
  functions: ['autho_user_manage', 'autho_user_insert'],
  within: null,
  isUnattended: true,
}

/** Returns whether a role was within the reach of identity providers and no longer is. */
const outgrowsProvider = (before: Rights, after: Rights): boolean =>
  reaches(PROVIDER_RIGHTS, before) && !reaches(PROVIDER_RIGHTS, after)

/** SQL condition that an identity provider manages the account of the query's row of `users`. */
const isManaged = sql<boolean>`exists (select from scim_users s where s.user_id = users.id)`

/** Returns whether a user can control accounts of a role, such as by a new password. */
type Controls = (controller: Actor, role: GivenRole) => boolean

/** Returns whether a user can register or administer users of this role. */
const controlsUsers: Controls = (controller, role) =>
  (can(controller, 'autho_user_manage') || can(controller, 'autho_user_insert')) && reaches(controller, role)

/** Returns whether a user can create tokens of a program of this role (rules/keys#program-reach). */
const controlsPrograms: Controls = (controller, role) =>
  can(controller, 'autho_service_manage') && canGrant(controller, role)

/** Ends the program tokens of these users, or of those program accounts among them. */
async function endTokensOf(
  tx: Transaction<Database>,
  ids: readonly string[],
  kind: 'user' | 'program',
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('programTokens')
    .set({ endedAt: sql`now()`, endReason: 'account' })
    .where('userId', '=', sql<string>`any(${ids}::bigint[])`)
    .where('endedAt', 'is', null)
    .where((eb) => (kind === 'user' ? isPerson('userId') : eb.not(isPerson('userId'))))
    .execute()
}

/**
 * Returns all roles with their permissions. The other columns are the same in each row, which saves queries: users.id of
 * those of the given users that an identity provider manages (`managed`), and of those in another company (`outside`),
 * and whether there are other companies.
 */
function allRoles(tx: Transaction<Database>, users: readonly { id: string }[] = []) {
  const ids = users.map(({ id }) => id)
  return tx
    .selectFrom('roles')
    .select([
      'code',
      'span',
      functionsOf(sql.ref('roles.code')).as('functions'),
      sql<string[]>`array(select user_id::text from scim_users where user_id = any(${ids}::bigint[]))`.as(
        'managed',
      ),
      sql<string[]>`array(select u.id::text from users u
        where u.id = any(${ids}::bigint[]) and ${isExternal(sql`u.affiliation_code`)})`.as('outside'),
      sql<boolean>`exists (select from codes where is_external)`.as('hasCompanies'),
    ])
    .execute()
}

/** Rights of a role that does not exist. */
const NO_RIGHTS: Rights = { functions: [], span: 'all' }

/**
 * Returns whether some role controls accounts with the previous permissions, but cannot grant the new ones. The branch
 * of a controller is unknown here, and may have changed since: in another branch, a role of one branch can never grant
 * the gain. With other companies, a controller of any role may also be in one of these, which limits the role as a branch
 * does, and the account may have been there, too.
 * @param roles all roles, as possible controllers
 */
function outgrows(
  roles: readonly Role[],
  formerRole: GivenRole,
  presentRole: GivenRole,
  { isMoved, wasOutside, isOutside }: Place,
  controls: Controls,
): boolean {
  const before = wasOutside ? outsideRole(formerRole) : formerRole
  const after = isOutside ? outsideRole(presentRole) : presentRole
  const keeps = before.span === after.span || before.span === 'all'
  const gained = after.functions.filter((name) => !keeps || !before.functions.includes(name))
  const isNewBranch = isBranchRole(after) && (!isBranchRole(before) || isMoved)
  if (gained.length === 0 && !isNewBranch) return false
  const outgrowsControl = ({ functions }: Role, within: [] | null) => {
    const controller = { userId: '', functions: functionsWithin(functions, within), within }
    if (!controls(controller, before)) return false
    if (isBranchRole(after) && within !== null) return true
    return !canGrant(controller, { roleCode: after.roleCode, functions: gained, span: after.span })
  }
  return roles.some((role) => {
    if (role.span === 'branch') return outgrowsControl(role, [])
    return outgrowsControl(role, null) || ((role.hasCompanies || wasOutside) && outgrowsControl(role, []))
  })
}

/**
 * Returns a role as it counts for people of another company: as a branch role (rules/affiliations#external). 일반 사용자
 * without a privileged permission stays the same, because everybody may have it.
 */
function outsideRole(role: GivenRole): GivenRole {
  if (role.roleCode === ROLE.user && !hasPower(role.functions)) return role
  return { ...role, functions: functionsWithin(role.functions, []), span: 'branch' }
}

/**
 * Ends the access (`endAccess`) and email links of these accounts, and the single sign-on links from before their
 * password was their own, because other users may use them. Replaces each password that does not fulfill
 * `isPasswordOwn`. The users of these passwords, and invited users, lose their program tokens. They are mailed a new
 * invitation, unless they are withdrawn or held (`isHeld`). The caller wakes the mail job.
 * @param ids users.id
 */
async function voidAccess(
  tx: Transaction<Database>,
  { services, requester }: Granting,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const anyUser = sql<string>`any(${ids}::bigint[])`
  await endAccess(tx, ...ids)
  const ended = await tx
    .deleteFrom('accountLinks')
    .where('userId', '=', anyUser)
    .returning(['userId', 'kind'])
    .execute()
  await tx
    .deleteFrom('identities as i')
    .using('users as u')
    .whereRef('u.id', '=', 'i.userId')
    .where('u.id', '=', anyUser)
    .where((eb) =>
      eb.or([
        eb.not(isPasswordOwn('u')),
        eb('i.createdAt', '<', eb.ref('u.passwordOwnFrom')),
        // SCIM may have linked another person at any time.
        sql<boolean>`exists (select from scim_users s where s.user_id = u.id and s.provider_id = i.provider_id and s.is_made)`,
      ]),
    )
    .execute()
  const invited = ended.flatMap(({ userId, kind }) => (kind === LINK.invitation ? [userId] : []))
  const given = await tx
    .selectFrom('users')
    .select([
      'id',
      'loginId',
      'name',
      'email',
      'language',
      sql<boolean>`withdrawn_at is null and not ${isHeld('users')}`.as('mayBeInvited'),
    ])
    .where('id', '=', anyUser)
    // A program has no password, and no address for an invitation.
    .where(isPerson('users.id'))
    .where((eb) =>
      eb.or([eb.not(isPasswordOwn('users')), eb('id', '=', sql<string>`any(${invited}::bigint[])`)]),
    )
    .execute()
  if (given.length === 0) return
  const givenIds = given.map(({ id }) => id)
  const anyGiven = sql<string>`any(${givenIds}::bigint[])`
  await endTokensOf(tx, givenIds, 'user')
  await tx
    .updateTable('users')
    .set({
      passwordHash: await services.passwords.hash(nobodysPassword()),
      passwordOwnFrom: null,
      passwordTemporary: false,
      temporaryUntil: null,
    })
    .where('id', '=', anyGiven)
    .execute()
  await sendInvitations(
    tx,
    services,
    given.filter(({ mayBeInvited }) => mayBeInvited),
    requester,
  )
}
