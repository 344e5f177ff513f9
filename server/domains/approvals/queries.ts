import { type Kysely, type Transaction, sql } from 'kysely'
import type { Actor } from '../../../contract/permissions.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type Page, pageOf } from '../../db/list.ts'
import { affiliationName } from '../common/index.ts'
import { administrable, administrableAccountOf, refuseAccount } from '../roles/index.ts'
import { orEmpty, timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

/**
 * Returns the query for the open requests that the actor may decide: of accounts within reach, but never the actor's own
 * (rules/approvals#who-decides).
 */
export function decidable(db: Kysely<Database>, actor: Actor & { id: string }) {
  return db
    .selectFrom('approval_requests as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where('r.state', '=', 'waiting')
    .where((eb) =>
      eb.or([eb('r.kind', '=', 'affiliation'), eb('u.approval_code', '=', APPROVAL.notApproved)]),
    )
    .where('u.withdrawn_at', 'is', null)
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
}

/** Returns a page of the open requests, oldest first, and their total number. */
export function findRequests(db: Kysely<Database>, actor: SignedIn, page: Page, language: Language) {
  return pageOf(
    db,
    decidable(db, actor)
      .select((eb) => [
        'r.id as requestId',
        'u.login_id as userId',
        'u.name',
        'u.affiliation_code as affiliationCode',
        affiliationName('u.affiliation_code', language).as('affiliationName'),
        'r.to_affiliation_code as newAffiliationCode',
        affiliationName('r.to_affiliation_code', language).as('newAffiliationName'),
        'u.position',
        'u.phone_number as phoneNumber',
        'u.email',
        wireTime(eb.ref('r.requested_at')).as('requestedAt'),
        sql<number>`(
          select count(*)::int from approval_requests e
          where e.email = u.email and e.state = 'refused' and e.kind = 'account'
        )`.as('refusedCount'),
      ])
      .orderBy('r.requested_at')
      .orderBy('r.id'),
    page,
  )
}

/**
 * Approves applicants.
 * @param applicants with the partners.id that each user gets
 */
export async function saveApproval(
  tx: Transaction<Database>,
  applicants: readonly { id: string; partnerId: string }[],
  changes: { role_code: string; approval_code: string; valid_from: string; valid_to: string },
): Promise<void> {
  const ids = applicants.map(({ id }) => id)
  const partnerIds = applicants.map(({ partnerId }) => partnerId)
  await tx
    .updateTable('users')
    .from(
      sql<{ id: string; partner_id: string }>`unnest(${ids}::bigint[], ${partnerIds}::bigint[])`.as<'chosen'>(
        sql`chosen (id, partner_id)`,
      ),
    )
    .set((eb) => ({ ...changes, partner_id: eb.ref('chosen.partner_id'), updated_at: sql<Date>`now()` }))
    .whereRef('users.id', '=', 'chosen.id')
    .execute()
}

/**
 * Marks the requests as rejected and deletes the accounts. Their IDs and emails become available again (design/accounts#approval-requests).
 */
export async function saveRefusal(
  tx: Transaction<Database>,
  userIds: readonly string[],
  refusal: { deciderId: string; reason: string },
): Promise<void> {
  await tx
    .updateTable('approval_requests')
    .set({
      state: 'refused',
      decided_by: refusal.deciderId,
      decided_at: sql<Date>`now()`,
      reason: refusal.reason,
    })
    .where('user_id', 'in', userIds)
    .where('state', '=', 'waiting')
    .where('kind', '=', 'account')
    .execute()
  await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}

/**
 * Returns the requests of an account within reach, newest first: its own, and rejected ones with the same email.
 * @throws {Refusal} FORBIDDEN for the caller's own account and accounts out of reach, USER_NOT_FOUND if there is none
 */
export async function findRequestsOf(
  db: Kysely<Database>,
  actor: SignedIn,
  loginId: string,
  language: Language,
) {
  const user =
    (await administrableAccountOf(db, actor, loginId).select(['u.id', 'u.email']).executeTakeFirst()) ??
    (await refuseAccount(db, loginId))
  return db
    .selectFrom('approval_requests as r')
    .leftJoin('users as d', 'd.id', 'r.decided_by')
    .select((eb) => [
      'r.id as requestId',
      'r.login_id as userId',
      wireTime(eb.ref('r.requested_at')).as('requestedAt'),
      'r.state',
      'r.kind',
      affiliationName('r.affiliation_code', language).as('affiliationName'),
      affiliationName('r.to_affiliation_code', language).as('newAffiliationName'),
      orEmpty('d.login_id').as('deciderId'),
      orEmpty('d.name').as('deciderName'),
      timeText('r.decided_at').as('decidedAt'),
      orEmpty('r.reason').as('reason'),
    ])
    .where((eb) =>
      eb.or([
        eb('r.user_id', '=', user.id),
        eb.and([eb('r.user_id', 'is', null), eb('r.email', '=', user.email)]),
      ]),
    )
    .orderBy('r.requested_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute()
}

/**
 * Deletes requests that were rejected or canceled at least `days` days ago (rules/retention#kinds). Approved requests are deleted with
 * their account.
 * @returns the number of deleted requests, at most `most`
 */
export async function eraseClosedRequests(tx: Kysely<Database>, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from approval_requests where id = any(array(
    select id from approval_requests
    where state in ('refused', 'withdrawn') and decided_at < now() - make_interval(days => ${days})
    order by decided_at, id limit ${most} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}
