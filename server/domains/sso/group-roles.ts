import { sql } from 'kysely'
import { reaches, ROLE } from '../../../contract/permissions.ts'
import type { GroupRole } from '../../../contract/sso.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Call } from '../../http/handler.ts'
import { endFormerControl, functionsOf, PROVIDER_RIGHTS } from '../roles/index.ts'
import type { Proven } from './exchange.ts'
import type { Provider } from './queries.ts'

/** Most groups of a user that are read; a longer list counts as missing. Entra sends no list for more than 200. */
const MAX_GROUPS = 1000

/** Returns the roles that groups get, as the database stores them: role code, a blank and the group. */
export const storedOf = (groupRoles: readonly GroupRole[]): string[] =>
  groupRoles.map(({ group, roleCode }) => `${roleCode} ${group}`)

/** Returns the roles that the groups of a provider get, from their stored form. */
export const groupRolesOf = ({ groupRoles }: Pick<Provider, 'groupRoles'>): GroupRole[] =>
  groupRoles.map((text) => {
    const end = text.indexOf(' ')
    return { roleCode: text.slice(0, end), group: text.slice(end + 1) }
  })

/**
 * Returns the roles that a provider may give: those without a privileged permission, in the order of the drop-down
 * lists (rules/sso#groups).
 */
export async function mappableRoles(db: Db) {
  const roles = await db
    .selectFrom('roles as r')
    .select(['r.code', 'r.groupName', 'r.nameEn', 'r.span', functionsOf(sql.ref('r.code')).as('functions')])
    .orderBy('r.sortOrder')
    .orderBy('r.code')
    .execute()
  return roles.filter((role) => reaches(PROVIDER_RIGHTS, role))
}

/**
 * Refuses roles that a provider may not give, or that do not exist.
 * @throws {Refusal} CODE_NOT_FOUND
 */
export async function checkGroupRoles(db: Db, groupRoles: readonly GroupRole[]): Promise<void> {
  if (groupRoles.length === 0) return
  const codes = new Set((await mappableRoles(db)).map(({ code }) => code))
  if (groupRoles.some(({ roleCode }) => !codes.has(roleCode))) refuse('CODE_NOT_FOUND')
}

/**
 * Returns the groups in the claim of a user; undefined if the claim is missing, of another shape, or longer than
 * MAX_GROUPS.
 */
function groupsIn({ provider, claims }: Proven): ReadonlySet<unknown> | undefined {
  const claim = claims[provider.groupsClaim]
  const groups = typeof claim === 'string' ? [claim] : claim
  return Array.isArray(groups) && groups.length <= MAX_GROUPS ? new Set<unknown>(groups) : undefined
}

/**
 * Gives a user who logs in the role of the first group that matches, or 일반 사용자 if their role is that of a group that
 * they left (rules/sso#groups). Writes the audit row and ends the access of former controllers. Changes nothing if the
 * provider names no groups, or for a privileged role. The caller has locked the account and wakes the mail job.
 */
export async function applyGroupRoles(
  tx: Tx,
  call: Pick<Call, 'services' | 'requester' | 'auditAs' | 'log'>,
  proven: Proven,
  userId: string,
): Promise<void> {
  const { provider } = proven
  const wanted = groupRolesOf(provider)
  if (provider.groupsClaim === '' || wanted.length === 0) return
  const groups = groupsIn(proven)
  if (groups === undefined) {
    call.log.warn({ provider: provider.name }, 'an identity provider named no groups, so the role stays')
    return
  }
  const mappable = new Set((await mappableRoles(tx)).map(({ code }) => code))
  const { roleCode: before, loginId } = await tx
    .selectFrom('users')
    .select(['roleCode', 'loginId'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const isGiven = wanted.some(({ roleCode }) => roleCode === before) || before === ROLE.user
  if (!mappable.has(before) || !isGiven) return
  const match = wanted.find(({ group, roleCode }) => groups.has(group) && mappable.has(roleCode))
  const after = match?.roleCode ?? ROLE.user
  if (after === before) return
  await tx
    .updateTable('users')
    .set({ roleCode: after, updatedAt: sql`now()` })
    .where('id', '=', userId)
    .execute()
  await endFormerControl(tx, call, [{ id: userId, before, after }])
  await call.auditAs('user.update', tx, {
    target: loginId,
    actorId: userId,
    detail: { roleCode: { before, after }, by: 'sso', providerName: provider.name },
    records: [`user/${userId}`],
  })
}
