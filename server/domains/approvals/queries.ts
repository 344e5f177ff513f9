import { type Kysely, type Transaction, sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import { refuse } from '../../../contract/errors.ts'
import { APPROVAL } from '../../../contract/users.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { type Page, pageOf } from '../../db/list.ts'
import { administrable } from '../roles/index.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

/** The ID of no account; a list for `in` must not be empty. */
const NOBODY = '0'

/**
 * The waiting requests that the actor may decide: of accounts within reach, never one's own
 * (rules/approvals#who-decides).
 */
function decidable(db: Kysely<Database>, actor: SignedIn) {
  return db
    .selectFrom('approval_requests as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where('r.state', '=', 'waiting')
    .where('u.approval_code', '=', APPROVAL.notApproved)
    .where('u.withdrawn_at', 'is', null)
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
}

/** A page of the waiting requests, oldest first, and how many there are. */
export function findRequests(db: Kysely<Database>, actor: SignedIn, page: Page, language: Language) {
  return pageOf(
    db,
    decidable(db, actor)
      .leftJoin('codes as b', (join) =>
        join.onRef('b.code', '=', 'u.affiliation_code').on('b.group_code', '=', CODE_GROUP.affiliation),
      )
      .select((eb) => [
        'r.id as requestId',
        'u.login_id as userId',
        'u.name',
        'u.affiliation_code as affiliationCode',
        eb.fn.coalesce(`b.name_${language}`, 'u.affiliation_code').as('affiliationName'),
        'u.position',
        'u.phone_number as phoneNumber',
        'u.email',
        wireTime(eb.ref('r.requested_at')).as('requestedAt'),
        sql<number>`(
          select count(*)::int from approval_requests e where e.email = u.email and e.state = 'refused'
        )`.as('refusedCount'),
      ])
      .orderBy('r.requested_at')
      .orderBy('r.id'),
    page,
  )
}

/**
 * The applicants of the chosen requests, locked until the transaction ends; then nobody else decides these requests.
 * Users are locked before requests, in the order of their IDs, as every change of a user locks them.
 * @throws {Refusal} REQUEST_NOT_FOUND; FORBIDDEN for one's own request and for accounts out of reach; REQUEST_DECIDED
 *   with the login IDs of those that somebody else decided meanwhile
 */
export async function lockApplicants(tx: Transaction<Database>, actor: SignedIn, requestIds: string[]) {
  const chosen = await findChosen(tx, requestIds)
  if (chosen.length < requestIds.length) refuse('REQUEST_NOT_FOUND')
  const applicants = await tx
    .selectFrom('users as u')
    .select(['u.id', 'u.login_id', 'u.email', 'u.language', 'u.affiliation_code', 'u.approval_code'])
    .where('u.id', 'in', [...chosen.flatMap(({ user_id }) => user_id ?? []), NOBODY])
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
    .orderBy('u.id')
    .forNoKeyUpdate()
    .execute()
  // Read again: whoever waited for the locks sees what was decided meanwhile.
  const now = await findChosen(tx, requestIds)
  const locked = new Map(applicants.map((user) => [user.id, user]))
  if (now.some(({ user_id }) => user_id !== null && !locked.has(user_id))) refuse('FORBIDDEN')
  // An account that is approved, by whatever means, is no longer an applicant's: a refusal must never delete it.
  const isApproved = (id: string | null) => locked.get(id ?? '')?.approval_code === APPROVAL.approved
  const decided = now.filter(({ state, user_id }) => state !== 'waiting' || isApproved(user_id))
  if (decided.length > 0) refuse('REQUEST_DECIDED', { about: decided.map(({ login_id }) => login_id) })
  return applicants
}

function findChosen(tx: Transaction<Database>, requestIds: string[]) {
  return tx
    .selectFrom('approval_requests')
    .select(['id', 'user_id', 'login_id', 'state'])
    .where('id', 'in', requestIds)
    .orderBy('id')
    .execute()
}

/** Approves the applicants of one affiliation. */
export async function saveApproval(
  tx: Transaction<Database>,
  userIds: readonly string[],
  changes: {
    role_code: string
    approval_code: string
    valid_from: string
    valid_to: string
    partner_id: string
  },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ ...changes, updated_at: sql`now()` })
    .where('id', 'in', userIds)
    .execute()
}

/** Notes the refusal and takes the accounts away: ID and e-mail are free again (ADR 011). */
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
    .execute()
  await tx.deleteFrom('users').where('id', 'in', userIds).execute()
}

/**
 * The requests of an account within reach, newest first: its own, and those refused before with the same e-mail.
 * @throws {Refusal} FORBIDDEN for one's own account and those out of reach, USER_NOT_FOUND where there is none
 */
export async function findRequestsOf(db: Kysely<Database>, actor: SignedIn, loginId: string) {
  const account = db
    .selectFrom('users as u')
    .where('u.login_id', '=', loginId)
    .where('u.withdrawn_at', 'is', null)
  const user = await account
    .where('u.id', '<>', actor.id)
    .where((eb) => administrable(actor, eb.ref('u.role_code')))
    .select(['u.id', 'u.email'])
    .executeTakeFirst()
  if (user === undefined) {
    const isThere = await account.select('u.id').executeTakeFirst()
    return refuse(isThere === undefined ? 'USER_NOT_FOUND' : 'FORBIDDEN')
  }
  return db
    .selectFrom('approval_requests as r')
    .leftJoin('users as d', 'd.id', 'r.decided_by')
    .select((eb) => [
      'r.id as requestId',
      'r.login_id as userId',
      wireTime(eb.ref('r.requested_at')).as('requestedAt'),
      'r.state',
      sql<string>`coalesce(d.login_id, '')`.as('deciderId'),
      sql<string>`coalesce(d.name, '')`.as('deciderName'),
      sql<string>`coalesce(${wireTime(sql.ref('r.decided_at'))}, '')`.as('decidedAt'),
      sql<string>`coalesce(r.reason, '')`.as('reason'),
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
