import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../../contract/errors.ts'
import { canGrant, ROLE } from '../../../../contract/permissions.ts'
import {
  type countBelongings as countEndpoint,
  type getWithdrawn as getEndpoint,
  RESTORE_DAYS,
  type restoreUser as restoreEndpoint,
  APPROVAL,
  type withdrawUser as endpoint,
} from '../../../../contract/users.ts'
import { mapConstraintErrors } from '../../../db/constraints.ts'
import { dateText, isPerson, orEmpty, wireTime } from '../../../db/sql.ts'
import type { Tx } from '../../../db/database.ts'
import type { Database } from '../../../db/types.ts'
import type { Handler } from '../../../http/handler.ts'
import type { SignedIn } from '../../../callers/sessions.ts'
import { differences } from '../../../records/audit.ts'
import { revokeKeys } from '../../../records/key-revocations.ts'
import { ACCOUNT_CONSTRAINTS, endAccess, endLinks, findLiveSessions } from '../../account/index.ts'
import { affiliationName } from '../../common/index.ts'
import {
  administrableAccountOf,
  functionsOf,
  inBranch,
  keepingAdmins,
  readable,
  refuseAccount,
  spanOf,
} from '../../roles/index.ts'
import { lockUser } from '../queries.ts'

/**
 * Returns the fields of `withdrawal` in the contract: time, user and reason. They are columns of a withdrawn users row
 * `u` and of `w`, the user who withdrew it.
 */
export const withdrawalOf = () =>
  [
    wireTime(sql.ref('u.withdrawnAt')).as('withdrawnAt'),
    orEmpty('w.loginId').as('withdrawnBy'),
    orEmpty('w.name').as('withdrawnByName'),
    orEmpty('u.withdrawnReason').as('withdrawnReason'),
  ] as const

/** SQL expression for the time until which the withdrawal of the row `u` can be undone. */
export const restorableUntil = sql<Date>`(u.withdrawn_at + make_interval(days => ${sql.lit(RESTORE_DAYS)}))`

/** Returns the query for a withdrawn account with this ID that the actor may read, as the row `u`. */
function withdrawnWithinReach(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  return withdrawnOf(db, loginId).where(readable(actor, 'u'))
}

/** Returns the query for a withdrawn account with this ID, as the row `u`, without a check of the permission. */
function withdrawnOf(db: Kysely<Database>, loginId: string) {
  return db
    .selectFrom('users as u')
    .where('u.loginId', '=', loginId)
    .where('u.withdrawnAt', 'is not', null)
    .where(isPerson('u.id'))
}

/**
 * Refuses a call about a withdrawn account that the actor may not read or that does not exist. Always throws.
 * @throws {Refusal} USER_NOT_FOUND if no withdrawn account has the ID, else FORBIDDEN. An actor of one branch always
 * gets FORBIDDEN
 */
async function refuseWithdrawn(db: Kysely<Database>, { within }: SignedIn, loginId: string): Promise<never> {
  if (within !== null) refuse('FORBIDDEN')
  const row = await withdrawnOf(db, loginId).select('u.id').executeTakeFirst()
  return refuse(row === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
}

/**
 * Returns a withdrawn account with its last values (rules/users#withdrawn-accounts).
 * @throws {Refusal} FORBIDDEN if the actor may not read it; USER_NOT_FOUND if there is none, or FORBIDDEN for an actor
 * of one branch
 */
export const getWithdrawn: Handler<typeof getEndpoint> = async ({ db, actor, language }, { userId }) => {
  const account = await withdrawnWithinReach(db, actor, userId)
    .leftJoin('users as w', 'w.id', 'u.withdrawnBy')
    .leftJoin('partners as p', 'p.id', 'u.partnerId')
    .innerJoin('roles as r', 'r.code', 'u.roleCode')
    .select((eb) => [
      'u.loginId as userId',
      'u.name',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      'u.position',
      'u.phoneNumber',
      'u.email',
      language === 'ko' ? 'r.groupName as roleName' : 'r.nameEn as roleName',
      orEmpty('p.code').as('partnerCode'),
      dateText('u.validFrom').as('validFrom'),
      dateText('u.validTo').as('validTo'),
      wireTime(eb.ref('u.createdAt')).as('registeredAt'),
      wireTime(restorableUntil).as('restorableUntil'),
      sql<boolean>`${restorableUntil} > now()`.as('restorable'),
    ])
    .select(withdrawalOf())
    .executeTakeFirst()
  return account ?? refuseWithdrawn(db, actor, userId)
}

/** Returns the audit detail of an account that ends: it loses its role (rules/audit#rights). */
export const rightsEnd = ({ roleCode }: { roleCode: string }) => ({
  roleCode: { before: roleCode, after: null },
})

/** Returns the audit detail of an account that is restored with its previous role. */
export const rightsReturn = ({ roleCode }: { roleCode: string }) => ({
  roleCode: { before: null, after: roleCode },
})

/**
 * Column values that restore a withdrawn account. An employee number that another account has by now is removed. The
 * count of inactivity restarts.
 */
export const RESTORED = {
  withdrawnAt: null,
  withdrawnBy: null,
  withdrawnReason: null,
  // Another account may have it by now.
  employeeNumber: sql<
    string | null
  >`case when not exists (select from users o where o.employee_number = users.employee_number
    and o.withdrawn_at is null) then employee_number end`,
  confirmedAt: sql<Date>`now()`,
} as const

/**
 * Restores a withdrawn account with its previous values and role, and writes the audit row (rules/users#taking-back).
 * Its sessions stay ended. The count of inactivity restarts, as after any other decision about the account. An employee
 * number that another account has by now is removed.
 * @throws {Refusal} RESTORE_TOO_LATE after RESTORE_DAYS days; FORBIDDEN if the actor may not grant the role;
 * EMAIL_TAKEN if another account has the email by now; FORBIDDEN and USER_NOT_FOUND as `getWithdrawn`
 */
export const restoreUser: Handler<typeof restoreEndpoint> = async (call, { userId }) => {
  await call.db.transaction().execute(async (tx) => {
    const user =
      (await withdrawnWithinReach(tx, call.actor, userId)
        .select([
          'u.id',
          'u.roleCode',
          'u.withdrawnAt',
          sql<boolean>`${restorableUntil} > now()`.as('restorable'),
          functionsOf(sql.ref('u.roleCode')).as('functions'),
          spanOf(sql.ref('u.roleCode')).as('span'),
        ])
        .forNoKeyUpdate('u')
        .executeTakeFirst()) ?? (await refuseWithdrawn(tx, call.actor, userId))
    // The restored account has its role again, so the caller must be allowed to grant it.
    if (!canGrant(call.actor, user)) refuse('FORBIDDEN', { raisesRights: true })
    if (!user.restorable) refuse('RESTORE_TOO_LATE')
    // The account should have no sessions; if it has, they must not become valid again.
    await endAccess(tx, user.id)
    await mapConstraintErrors(ACCOUNT_CONSTRAINTS, () =>
      tx
        .updateTable('users')
        .set({ ...RESTORED, updatedAt: sql`now()` })
        .where('id', '=', user.id)
        .execute(),
    )
    const detail = { ...rightsReturn(user), ...differences(user, { withdrawnAt: null }) }
    await call.audit(tx, { target: userId, detail, records: [`user/${user.id}`] })
  })
  return {}
}

/**
 * Counts what an account has, for the question before its withdrawal: live sessions, valid program tokens, notices, and
 * the keys of the actor's branch that are not revoked (rules/users#before-a-withdrawal).
 * @throws {Refusal} FORBIDDEN and USER_NOT_FOUND as `refuseAccount`
 */
export const countBelongings: Handler<typeof countEndpoint> = async (call, { userId }) => {
  const { db, actor, services } = call
  const user = await administrableAccountOf(db, actor, userId)
    .select([
      'u.id',
      sql<number>`(select count(*)::int from issued_keys k where k.user_id = u.id and k.revoked_at is null
        and ${inBranch(actor, sql.ref('k.affiliationCode'))})`.as('keyCount'),
      sql<number>`(select count(*)::int from notices n where n.author_id = u.id)`.as('noticeCount'),
      sql<number>`(select count(*)::int from program_tokens p
        where p.user_id = u.id and p.ended_at is null and p.expires_at > now())`.as('programCount'),
    ])
    .executeTakeFirst()
  const { id, ...counts } = user ?? (await refuseAccount(db, actor, userId))
  const sessions = await findLiveSessions(db, id, services.settings.session())
  return { ...counts, sessionCount: sessions.length }
}

/**
 * Withdraws an account that the caller has locked, and ends its access and email links. Writes no audit row.
 * @param by.withdrawnBy users.id of the user who withdraws it; null for an identity provider
 * @param by.withdrawnReason '' for none
 * @throws {Refusal} LAST_ADMIN, LAST_ADMIN_ENDS
 */
export async function endAccount(
  tx: Tx,
  { id, roleCode }: { id: string; roleCode: string },
  by: { withdrawnBy: string | null; withdrawnReason: string },
): Promise<void> {
  const { withdrawnBy, withdrawnReason } = by
  const end = () =>
    tx
      .updateTable('users')
      .set({
        withdrawnAt: sql`now()`,
        withdrawnBy,
        withdrawnReason: withdrawnReason === '' ? null : withdrawnReason,
        updatedAt: sql`now()`,
      })
      .where('id', '=', id)
      .execute()
  await (roleCode === ROLE.admin ? keepingAdmins(tx, end) : end())
  await endAccess(tx, id)
  await endLinks(tx, [id])
}

/**
 * Withdraws an account: the caller's own after password re-entry, or an approved account that the caller may administer
 * (rules/users#withdrawal). Ends its access and email links, and writes the audit row. The row stays, so that notices
 * and keys still name their author. Its ID never becomes available again. For another user's account, also revokes on
 * request the account's keys within the caller's branch, without a permission for keys.
 * @throws {Refusal} FORBIDDEN without a permission for other users; USER_NOT_APPROVED; KEYS_TOO_MANY;
 * PASSWORD_CHECK_REQUIRED for the own account; CONFIRMATION_REQUIRED; and as `endAccount` and `lockUser`
 */
export const withdrawUser: Handler<typeof endpoint> = async (call, input) => {
  const { userId, withdrawnReason, keysRevoked = false } = input
  const { db, actor, mayActOnOthers } = call
  const isOwn = userId === actor.userId
  if (!isOwn && !mayActOnOthers) refuse('FORBIDDEN')
  call.requireConfirmation(isOwn ? 'gate' : 'always')

  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, actor, userId, isOwn)
    if (!isOwn && user.approvalCode !== APPROVAL.approved) refuse('USER_NOT_APPROVED')
    await endAccount(tx, user, { withdrawnBy: actor.id, withdrawnReason: isOwn ? '' : withdrawnReason })
    const areTheirs = sql<boolean>`(user_id = ${user.id} and ${inBranch(actor, sql.ref('affiliationCode'))})`
    const keyCount = keysRevoked && !isOwn ? await revokeKeys(tx, call, areTheirs, withdrawnReason) : 0
    const detail = {
      ...(!isOwn && withdrawnReason !== '' && { reason: withdrawnReason }),
      ...(keyCount > 0 && { keysRevoked: keyCount }),
    }
    await call.audit(tx, {
      target: userId,
      detail: { ...rightsEnd(user), ...detail },
      records: [`user/${user.id}`],
    })
  })
  return {}
}
