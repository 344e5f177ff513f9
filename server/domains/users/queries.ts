import { type RawBuilder, sql } from 'kysely'
import { LINK } from '../../../contract/account.ts'
import { DISUSE } from '../../../contract/users.ts'
import {
  isExternal,
  orEmpty,
  timeText,
  today,
  wireTime,
  dateText,
  mayLogIn,
  nameColumn,
} from '../../db/sql.ts'
import { isGoodLink, isPasswordDisabled, lockedUntil, isHeld } from '../account/index.ts'
import { refuse } from '../../../contract/errors.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Call } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { affiliationState, checkPlaceable } from '../common/index.ts'
import { heldPartner } from '../partners/index.ts'
import {
  accountOf,
  administrableAccountOf,
  functionsOf,
  heldRole,
  isBoundToAffiliation,
  movable,
  NO_END,
  readable,
  refuseAccount,
  spanOf,
} from '../roles/index.ts'
import { teamIdsOf, teamPath } from '../teams/index.ts'

/**
 * Returns the SQL expression for the end date that one click sets: a year after the current one, or a year from today
 * if that has passed, and at most NO_END.
 * @param u alias of the users row
 */
export const extendedEnd = (u = 'u'): RawBuilder<string> => sql`
  least(greatest(${sql.ref(`${u}.validTo`)}, ${today}) + interval '1 year', date '${sql.raw(NO_END)}')::date::text`

/** SQL expression for `extendedEnd` of the users row `u`, or '' for an account that has no end or NO_END. */
export const extendedTo = sql<string>`case when u.valid_to < date '${sql.raw(NO_END)}' then ${extendedEnd()} else '' end`

/**
 * Returns the fields of `accountState` in the contract, as columns of the users row `u`: suspension, reason why a login
 * is refused ('' if it is not), last login, and the end that an extension by a year would set.
 */
export const accountStateOf = () =>
  [
    sql<boolean>`u.suspended_at is not null`.as('suspended'),
    timeText('u.suspendedAt').as('suspendedAt'),
    sql<string>`case when u.suspended_at is not null then coalesce(u.suspended_for, ${sql.lit(DISUSE)}) else '' end`.as(
      'suspendedFor',
    ),
    orEmpty('u.suspendedReason').as('suspendedReason'),
    sql<string>`coalesce(login_refusal(u), '')`.as('loginRefusal'),
    timeText('u.lastLoginAt').as('lastLoginAt'),
    extendedTo.as('extendedTo'),
  ] as const

/**
 * SQL condition that the account `u` was never approved, has no open or approved request, and has neither keys nor
 * notices (rules/users#removal).
 */
export const isRemovable = sql<boolean>`(not u.was_approved
  and not exists (select from approval_requests r where r.user_id = u.id and r.state <> 'refused')
  and not exists (select from issued_keys k where k.user_id = u.id)
  and not exists (select from notices n where n.author_id = u.id))`

/**
 * Returns the fields of `helpState` in the contract, as columns of the users row `u`: which administrator actions make
 * sense, such as a lock, an invitation, a requested email or a possible removal. Times without a value are ''.
 */
const helpStateOf = () =>
  [
    lockedUntil.as('lockedUntil'),
    isPasswordDisabled.as('passwordDisabled'),
    'u.passwordTemporary as temporaryPassword',
    timeText('u.temporaryUntil').as('temporaryUntil'),
    sql<boolean>`exists (select from account_links l where l.user_id = u.id and l.kind = ${sql.lit(LINK.invitation)})`.as(
      'invited',
    ),
    sql<string>`coalesce((select ${wireTime(sql.ref('l.expiresAt'))} from account_links l where l.user_id = u.id
      and l.kind = ${sql.lit(LINK.invitation)}), '')`.as('invitationEnds'),
    sql<string>`coalesce((select l.email from account_links l where l.user_id = u.id
      and l.kind = ${sql.lit(LINK.email)} and ${isGoodLink}), '')`.as('pendingEmail'),
    isRemovable.as('removable'),
  ] as const

/**
 * Returns the query for the account with this ID: the caller's own (`isOwn`), or one that the actor may administer.
 * Both compare the login ID with the row: an ID that was given to another account since the call arrived matches no row
 * (rules/users#identity-change).
 */
function accountQuery(db: Db, actor: SignedIn, loginId: string, isOwn: boolean) {
  return isOwn
    ? accountOf(db, loginId).where('u.id', '=', actor.id)
    : administrableAccountOf(db, actor, loginId)
}

/**
 * Returns a user record with the fields of the admin card: the caller's own, or one that the actor may read. Writes and
 * locks nothing.
 * @param isOwn true for the caller's own record
 * @throws {Refusal} FORBIDDEN for an account out of reach, and for the caller's own without `isOwn`; USER_NOT_FOUND if
 * there is none or it is withdrawn. An actor of one branch gets FORBIDDEN in both cases
 */
export async function findUser(db: Db, actor: SignedIn, loginId: string, isOwn: boolean, language: Language) {
  const user = await accountOf(db, loginId)
    .where('u.id', isOwn ? '=' : '<>', actor.id)
    .$if(!isOwn, (account) => account.where(readable(actor, 'u')))
    .leftJoin('partners as p', 'p.id', 'u.partnerId')
    .leftJoin('codes as a', (join) =>
      join.onRef('a.code', '=', 'u.approvalCode').on('a.groupCode', '=', CODE_GROUP.approval),
    )
    .select((eb) => [
      'u.loginId as userId',
      'u.affiliationCode',
      'u.position',
      'u.name',
      'u.phoneNumber',
      'u.email',
      eb.fn.coalesce(`a.${nameColumn[language]}`, 'u.approvalCode').as('approval'),
      'u.approvalCode',
      dateText('u.validFrom').as('validFrom'),
      dateText('u.validTo').as('validTo'),
      orEmpty('p.code').as('partnerCode'),
      'u.roleCode',
      'u.employeeNumber',
      'u.customValues',
    ])
    .select(teamIdsOf())
    .select(accountStateOf())
    .select(helpStateOf())
    .executeTakeFirst()
  return user ?? refuseAccount(db, actor, loginId)
}

/**
 * Locks the account that a change is about until the transaction ends, and returns its row with its partner's code,
 * teams, the permissions of its role and whether it may log in: the caller's own, or one that the actor may administer.
 * The lock allows references to the row: two administrators who edit each other also refer to each other in the audit
 * log, and PostgreSQL would end one of the transactions as a deadlock after a second.
 * @param isOwn true for the caller's own account, which is refused otherwise
 * @throws {Refusal} FORBIDDEN for an account out of reach; USER_NOT_FOUND if there is none or it is withdrawn, or
 * FORBIDDEN for an actor of one branch
 */
export async function lockUser(tx: Tx, actor: SignedIn, loginId: string, isOwn: boolean) {
  const user = await accountQuery(tx, actor, loginId, isOwn)
    .leftJoin('partners as p', 'p.id', 'u.partnerId')
    .selectAll('u')
    .select([
      'p.code as partnerCode',
      mayLogIn('u').as('mayLogIn'),
      isHeld('u').as('isHeld'),
      functionsOf(sql.ref('u.roleCode')).as('roleFunctions'),
      spanOf(sql.ref('u.roleCode')).as('roleSpan'),
      movable(actor, 'u').as('isMovable'),
      isBoundToAffiliation('u').as('isBound'),
      isExternal(sql`u.affiliation_code`).as('isOutside'),
      teamPath('ko').as('teamName'),
    ])
    .select(teamIdsOf())
    .forNoKeyUpdate('u')
    .executeTakeFirst()
  return user ?? refuseAccount(tx, actor, loginId)
}

/** An account that `lockUser` returns. */
export type LockedUser = Awaited<ReturnType<typeof lockUser>>

/**
 * Changes an account of another user that the caller may administer, in one transaction with its audit row. Locks the
 * account, and wakes the mail job afterwards.
 * @param change makes the change and returns the audit detail; an error in it rolls everything back
 * @throws {Refusal} FORBIDDEN for an account out of reach or the caller's own; USER_NOT_FOUND as `lockUser`
 */
export async function changeUser(
  call: Pick<Call, 'db' | 'audit' | 'services'> & { actor: SignedIn },
  loginId: string,
  change: (tx: Tx, user: LockedUser) => Promise<Record<string, unknown>>,
): Promise<Record<string, never>> {
  await call.db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, call.actor, loginId, false)
    const detail = await change(tx, user)
    await call.audit(tx, { target: loginId, detail, records: [`user/${user.id}`] })
  })
  call.services.mail.wake()
  return {}
}

/** Returns the audit detail of an administrator action: the reason, or an empty object for an empty reason. */
export const reasonDetail = (reason: string) => (reason === '' ? {} : { reason })

/**
 * Locks the role and the partner that the admin card selects for an account until the transaction ends, and checks them
 * and the affiliation, in one query. The caller checks in a later statement whether the actor may grant the role, so
 * that permissions granted to it during the wait count.
 * @param present the affiliation that the account has and may keep, even if closed
 * @param presentPartner partners.id of its partner, which it may keep too, even if deactivated
 * @returns partners.id of the selected partner
 * @throws {Refusal} CODE_NOT_FOUND for an unknown affiliation or role; AFFILIATION_CLOSED; PARTNER_NOT_FOUND, also for
 * a partner of another affiliation; PARTNER_STOPPED
 */
export async function holdChoices(
  tx: Tx,
  choice: { affiliationCode: string; roleCode: string; partnerCode: string },
  present?: string,
  presentPartner?: string | null,
): Promise<string> {
  const { affiliationCode, roleCode, partnerCode } = choice
  const { rows } = await sql<{
    affiliation: 'open' | 'closed' | null
    hasRole: boolean
    partnerId: string | null
    isStopped: boolean | null
  }>`
    with role as (${heldRole(roleCode)}), partner as (${heldPartner(affiliationCode, partnerCode)})
    select ${affiliationState(affiliationCode)} as affiliation,
      exists (select from role) as has_role, (select id from partner) as partner_id,
      (select is_stopped from partner) as is_stopped`.execute(tx)
  const [found] = rows
  if (!found?.hasRole) return refuse('CODE_NOT_FOUND')
  checkPlaceable(found.affiliation, affiliationCode, present)
  const partnerId = found.partnerId ?? refuse('PARTNER_NOT_FOUND')
  if (found.isStopped === true && partnerId !== presentPartner) refuse('PARTNER_STOPPED')
  return partnerId
}
