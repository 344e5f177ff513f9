import { sql, type Transaction } from 'kysely'
import { LINK } from '../../../contract/account.ts'
import { can, canGrant, type FunctionName, type GivenRole, reaches } from '../../../contract/permissions.ts'
import type { Database } from '../../db/types.ts'
import type { Call } from '../../http/handler.ts'
import { nobodysPassword } from '../../services/password.ts'
import { endAccess, isHeld, isPasswordOwn, sendInvitations } from '../account/index.ts'
import { functionsOf } from './queries.ts'

type Granting = Pick<Call, 'services' | 'requester'>

/** A role as a possible controller of accounts. */
interface Role {
  code: string
  functions: FunctionName[]
}

/** The role of an account (users.id) before and after a change. */
export interface RoleChange {
  id: string
  before: string
  after: string
}

/**
 * Ends the access of former controllers to the accounts whose new role they could not grant (rules/roles#former-controllers).
 * Every path that changes the role of an account calls this in its transaction, and wakes the mail job afterwards.
 */
export async function endFormerControl(
  tx: Transaction<Database>,
  call: Granting,
  changes: readonly RoleChange[],
): Promise<void> {
  const moved = changes.filter(({ before, after }) => before !== after)
  if (moved.length === 0) return
  const roles = await allRoles(tx)
  const functions = new Map(roles.map((role) => [role.code, role.functions]))
  const raised = moved.filter(({ before, after }) =>
    outgrows(roles, functions.get(before) ?? [], { roleCode: after, functions: functions.get(after) ?? [] }),
  )
  await voidAccess(
    tx,
    call,
    raised.map(({ id }) => id),
  )
}

/**
 * Ends the access of former controllers in the same way for all users of a role that was granted permissions.
 * @param before permissions of the role before the grant
 */
export async function endFormerControlOf(
  tx: Transaction<Database>,
  call: Granting,
  role: GivenRole,
  before: readonly FunctionName[],
): Promise<void> {
  if (!outgrows(await allRoles(tx), before, role)) return
  const users = await tx.selectFrom('users').select('id').where('role_code', '=', role.roleCode).execute()
  await voidAccess(
    tx,
    call,
    users.map(({ id }) => id),
  )
}

function allRoles(tx: Transaction<Database>): Promise<Role[]> {
  return tx
    .selectFrom('roles')
    .select(['code', functionsOf(sql.ref('roles.code')).as('functions')])
    .execute()
}

/** Returns whether some role can administer or register accounts with the previous permissions, but cannot grant the new ones. */
function outgrows(roles: readonly Role[], before: readonly FunctionName[], after: GivenRole): boolean {
  const gained = after.functions.filter((name) => !before.includes(name))
  return roles.some(({ functions }) => {
    const controller = { userId: '', functions }
    const controls = can(controller, 'autho_user_manage') || can(controller, 'autho_user_insert')
    return (
      controls &&
      reaches(controller, { functions: before }) &&
      !canGrant(controller, { roleCode: after.roleCode, functions: gained })
    )
  })
}

/**
 * Ends the access that other users may have to these accounts. A password that another user set becomes unusable: with a temporary
 * password, that user could log in first and replace it. So does a password that was chosen without a second factor in the last days,
 * because that user may have done so already. Users with such a password and invited users get a new invitation.
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
    .deleteFrom('account_links')
    .where('user_id', '=', anyUser)
    .returning(['user_id', 'kind'])
    .execute()
  const invited = ended.flatMap(({ user_id, kind }) => (kind === LINK.invitation ? [user_id] : []))
  const given = await tx
    .selectFrom('users')
    .select([
      'id',
      'login_id as userId',
      'email',
      'language',
      sql<boolean>`withdrawn_at is null and not ${isHeld('users')}`.as('mayBeInvited'),
    ])
    .where('id', '=', anyUser)
    .where((eb) =>
      eb.or([eb.not(isPasswordOwn('users')), eb('id', '=', sql<string>`any(${invited}::bigint[])`)]),
    )
    .execute()
  if (given.length === 0) return
  const anyGiven = sql<string>`any(${given.map(({ id }) => id)}::bigint[])`
  await tx
    .updateTable('program_tokens')
    .set({ ended_at: sql`now()`, end_reason: 'account' })
    .where('user_id', '=', anyGiven)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .updateTable('users')
    .set({
      password_hash: await services.passwords.hash(nobodysPassword()),
      password_own_from: null,
      password_temporary: false,
      temporary_until: null,
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
