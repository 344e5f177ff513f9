import { sql } from 'kysely'
import type { Actor } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type Page, pageOf } from '../../db/list.ts'
import { userContains } from '../../db/user-search.ts'
import { affiliationName } from '../common/index.ts'
import { administrable, administrableAccountOf, inBranch, movable, refuseAccount } from '../roles/index.ts'
import { orEmpty, timeText, wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'

/**
 * Returns the query for the open requests `r`, with their users `u`, that the actor may decide: of accounts within
 * reach and, for another affiliation, only into the actor's branch; never the actor's own
 * (rules/approvals#who-decides).
 */
export function queryDecidableRequests(db: Db, actor: Actor & { id: string }) {
  return (
    db
      .selectFrom('approvalRequests as r')
      .innerJoin('users as u', 'u.id', 'r.userId')
      .where('r.state', '=', 'waiting')
      .where((eb) =>
        eb.or([eb('r.kind', '=', 'affiliation'), eb('u.approvalCode', '=', APPROVAL.notApproved)]),
      )
      .where('u.withdrawnAt', 'is', null)
      .where('u.id', '<>', actor.id)
      .where(administrable(actor, 'u'))
      // A change concerns both affiliations, and may be a change of permissions (rules/roles#branch-holders).
      .where((eb) =>
        eb.or([
          eb('r.kind', '=', 'account'),
          eb.and([movable(actor, 'u'), inBranch(actor, sql.ref('r.toAffiliationCode'))]),
        ]),
      )
  )
}

/**
 * Returns a page of the open requests that the actor may decide, oldest first, and their total number. `refusedCount`
 * is the number of rejected requests for an account with the same email, in the actor's branch.
 * @param keyword part of ID, name, email, phone or employee number; '' for all requests
 */
export function findRequests(db: Db, actor: SignedIn, keyword: string, page: Page, language: Language) {
  return pageOf(
    db,
    queryDecidableRequests(db, actor)
      .$if(keyword !== '', (found) => found.where(userContains(keyword)))
      .select((eb) => [
        'r.id as requestId',
        'u.loginId as userId',
        'u.name',
        'u.affiliationCode',
        affiliationName('u.affiliationCode', language).as('affiliationName'),
        'r.toAffiliationCode as newAffiliationCode',
        affiliationName('r.toAffiliationCode', language).as('newAffiliationName'),
        'u.position',
        'u.phoneNumber',
        'u.email',
        wireTime(eb.ref('r.requestedAt')).as('requestedAt'),
        sql<number>`(
          select count(*)::int from approval_requests e
          where e.email = u.email and e.state = 'refused' and e.kind = 'account'
            and ${inBranch(actor, sql.ref('e.affiliationCode'))}
        )`.as('refusedCount'),
      ])
      .orderBy('r.requestedAt')
      .orderBy('r.id'),
    page,
  )
}

/**
 * Stores the approval of applicants in `users`: role, approval and validity period of all, and the partner of
 * each. Leaves their requests open, and sends no notification.
 * @param applicants `id` is users.id, `partnerId` partners.id
 */
export async function saveApproval(
  tx: Tx,
  applicants: readonly { id: string; partnerId: string }[],
  changes: { roleCode: string; approvalCode: string; validFrom: string; validTo: string | null },
): Promise<void> {
  const ids = applicants.map(({ id }) => id)
  const partnerIds = applicants.map(({ partnerId }) => partnerId)
  await tx
    .updateTable('users')
    .from(
      sql<{ id: string; partnerId: string }>`unnest(${ids}::bigint[], ${partnerIds}::bigint[])`.as<'chosen'>(
        sql`chosen (id, partner_id)`,
      ),
    )
    .set((eb) => ({ ...changes, partnerId: eb.ref('chosen.partnerId'), updatedAt: sql<Date>`now()` }))
    .whereRef('users.id', '=', 'chosen.id')
    .execute()
}

/**
 * Marks the open requests of these users for an account as rejected, and deletes the accounts. Their IDs and
 * emails become available again (design/accounts#approval-requests). Sends no email.
 * @param userIds users.id
 */
export async function saveRefusal(
  tx: Tx,
  userIds: readonly string[],
  refusal: { deciderId: string; reason: string },
): Promise<void> {
  await tx
    .updateTable('approvalRequests')
    .set({
      state: 'refused',
      decidedBy: refusal.deciderId,
      decidedAt: sql<Date>`now()`,
      reason: refusal.reason,
    })
    .where('userId', 'in', userIds)
    .where('state', '=', 'waiting')
    .where('kind', '=', 'account')
    .execute()
  await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}

/**
 * Returns all requests of an account within reach, newest first, with their decisions: its own, and those with the same
 * email whose account was deleted because they were rejected.
 * @throws {Refusal} FORBIDDEN for the caller's own account and accounts out of reach, USER_NOT_FOUND if there is none
 */
export async function findRequestsOf(db: Db, actor: SignedIn, loginId: string, language: Language) {
  const user =
    (await administrableAccountOf(db, actor, loginId).select(['u.id', 'u.email']).executeTakeFirst()) ??
    (await refuseAccount(db, actor, loginId))
  return db
    .selectFrom('approvalRequests as r')
    .leftJoin('users as d', 'd.id', 'r.decidedBy')
    .select((eb) => [
      'r.id as requestId',
      'r.loginId as userId',
      wireTime(eb.ref('r.requestedAt')).as('requestedAt'),
      'r.state',
      'r.kind',
      affiliationName('r.affiliationCode', language).as('affiliationName'),
      affiliationName('r.toAffiliationCode', language).as('newAffiliationName'),
      orEmpty('d.loginId').as('deciderId'),
      orEmpty('d.name').as('deciderName'),
      timeText('r.decidedAt').as('decidedAt'),
      orEmpty('r.reason').as('reason'),
    ])
    .where((eb) =>
      eb.or([
        eb('r.userId', '=', user.id),
        eb.and([
          eb('r.userId', 'is', null),
          eb('r.email', '=', user.email),
          inBranch(actor, sql.ref('r.affiliationCode')),
        ]),
      ]),
    )
    .orderBy('r.requestedAt', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
}

/**
 * Deletes requests that were rejected or canceled more than `days` days ago, the oldest first
 * (rules/retention#kinds). Approved requests are deleted with their account.
 * @param most largest number that one call deletes
 * @returns the number of deleted requests
 */
export async function eraseClosedRequests(tx: Db, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from approval_requests where id = any(array(
    select id from approval_requests
    where state in ('refused', 'withdrawn') and decided_at < now() - make_interval(days => ${days})
    order by decided_at, id limit ${most} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}
