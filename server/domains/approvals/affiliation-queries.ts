import { sql } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { nameColumn, wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { byPerson, queueMails } from '../../services/mail.ts'
import { notifyChanged, wantsMailAtOnce } from '../../records/notifications.ts'
import { affiliationName } from '../common/index.ts'
import type { Decision } from './decide.ts'

/**
 * Returns a user's open request for another affiliation: code and name of that affiliation, and the time of the request
 * (rules/users#affiliation-change).
 * @returns undefined if there is none
 */
export async function findOpenChange(db: Db, userId: string, language: Language) {
  const row = await db
    .selectFrom('approvalRequests as r')
    .select((eb) => [
      'r.toAffiliationCode as newAffiliationCode',
      affiliationName('r.toAffiliationCode', language).as('newAffiliationName'),
      wireTime(eb.ref('r.requestedAt')).as('requestedAt'),
    ])
    .where('r.userId', '=', userId)
    .where('r.kind', '=', 'affiliation')
    .where('r.state', '=', 'waiting')
    .executeTakeFirst()
  return row && { ...row, newAffiliationCode: row.newAffiliationCode ?? '' }
}

/**
 * Marks a user's open request for another affiliation as canceled by the user. Does nothing without one. The
 * caller must have locked the user's row, and writes the audit row.
 * @returns code of the requested affiliation; undefined if there was no open request
 */
export async function withdrawOpenChange(tx: Tx, userId: string) {
  const row = await tx
    .updateTable('approvalRequests')
    .set({ state: 'withdrawn', decidedBy: userId, decidedAt: sql<Date>`now()` })
    .where('userId', '=', userId)
    .where('kind', '=', 'affiliation')
    .where('state', '=', 'waiting')
    .returning('toAffiliationCode')
    .executeTakeFirst()
  return row?.toAffiliationCode ?? undefined
}

/**
 * Inserts a request of a user for another affiliation, in place of an open one, which it cancels. Sends no
 * notification and writes no audit row. The caller must have locked the user's row.
 * @param affiliation code of the affiliation
 * @returns approval_requests.id
 */
export async function askForAffiliation(
  tx: Tx,
  user: { id: string; loginId: string; name: string; email: string; affiliationCode: string },
  affiliation: string,
): Promise<string> {
  await withdrawOpenChange(tx, user.id)
  const { id } = await tx
    .insertInto('approvalRequests')
    .values({
      userId: user.id,
      loginId: user.loginId,
      name: user.name,
      email: user.email,
      affiliationCode: user.affiliationCode,
      kind: 'affiliation',
      toAffiliationCode: affiliation,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Marks as approved the open requests of users who now have the affiliation that they requested, because an edit
 * gave it to them. Notifies these users as `notifyOfNewAffiliation`. Requests for other affiliations stay open.
 * The caller must have locked and changed the users' rows.
 * @param userIds users.id
 */
export async function approveOpenChanges(
  tx: Tx,
  userIds: readonly string[],
  decision: Decision,
): Promise<void> {
  const decided = await tx
    .updateTable('approvalRequests as r')
    .from('users as u')
    .set({ state: 'approved', decidedBy: decision.deciderId, decidedAt: sql<Date>`now()` })
    .whereRef('u.id', '=', 'r.userId')
    .whereRef('u.affiliationCode', '=', 'r.toAffiliationCode')
    .where('r.userId', '=', sql<string>`any(${userIds}::bigint[])`)
    .where('r.kind', '=', 'affiliation')
    .where('r.state', '=', 'waiting')
    .returning('u.id')
    .execute()
  if (decided.length > 0) {
    await notifyOfNewAffiliation(
      tx,
      decided.map(({ id }) => id),
      decision,
    )
  }
}

/** SQL expression for the detail of a notification about an affiliation, whose row is `c`. */
const affiliationDetail = sql`jsonb_build_object('affiliationKo', c.name_ko, 'affiliationEn', c.name_en)`

/**
 * Notifies users in the portal of the affiliation that they have now. Also queues an email, in their language, to
 * those who want immediate mail. Changes no request.
 * @param userIds users.id
 */
export async function notifyOfNewAffiliation(
  tx: Tx,
  userIds: readonly string[],
  { deciderId, settings }: Decision,
): Promise<void> {
  const people = await tx
    .with('people', (db) =>
      db
        .selectFrom('users as u')
        .innerJoin('codes as c', (join) =>
          join.onRef('c.code', '=', 'u.affiliationCode').on('c.groupCode', '=', CODE_GROUP.affiliation),
        )
        .select(['u.id as userId', 'u.loginId', 'u.name', 'u.email', 'u.language', 'c.nameKo', 'c.nameEn'])
        .select([
          affiliationDetail.as('detail'),
          wantsMailAtOnce('AFFILIATION_APPROVED', 'u.id').as('mailed'),
        ])
        .where('u.id', 'in', userIds),
    )
    .with('told', (db) => notifyChanged(db, 'AFFILIATION_APPROVED', 'people'))
    .selectFrom('people')
    .select(['loginId', 'name', 'email', 'language', 'nameKo', 'nameEn'])
    .where('mailed', '=', true)
    .execute()
  await queueMails(
    tx,
    people.map(({ loginId, name, email, language, ...affiliation }) => ({
      to: email,
      ...composeMail(
        settings,
        'affiliationChanged',
        language,
        { userId: loginId, name, affiliation: affiliation[nameColumn[language]] },
        settings.link('/mypage'),
      ),
      choices: settings.link('/notification/setting'),
      requester: byPerson(deciderId),
    })),
  )
}

/**
 * Stores in `users` the new affiliation of each user, and their partner in it. Leaves their requests open.
 * @param changes `id` is users.id, `affiliation` a code
 */
export async function saveAffiliations(
  tx: Tx,
  changes: readonly { id: string; affiliation: string; partnerId: string }[],
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const affiliations = changes.map(({ affiliation }) => affiliation)
  const partnerIds = changes.map(({ partnerId }) => partnerId)
  await sql`update users set affiliation_code = chosen.affiliation, partner_id = chosen.partner_id, updated_at = now()
    from unnest(${ids}::bigint[], ${affiliations}::text[], ${partnerIds}::bigint[]) as chosen (id, affiliation, partner_id)
    where users.id = chosen.id`.execute(tx)
}

/**
 * Marks these requests for another affiliation as approved by the decider. Changes no account and sends no
 * notification.
 */
export async function closeChanges(tx: Tx, requestIds: readonly string[], deciderId: string): Promise<void> {
  await tx
    .updateTable('approvalRequests')
    .set({ state: 'approved', decidedBy: deciderId, decidedAt: sql<Date>`now()` })
    .where('id', 'in', requestIds)
    .execute()
}

/**
 * Marks these requests as rejected and notifies the requesters in the portal. Queues no mail.
 * @returns users.id of the requesters who want an immediate mail
 */
export async function refuseChanges(
  tx: Tx,
  requestIds: readonly string[],
  { deciderId, reason }: { deciderId: string; reason: string },
): Promise<Set<string>> {
  const mailed = await tx
    .with('refused', (db) =>
      db
        .updateTable('approvalRequests as r')
        .from('codes as c')
        .set({ state: 'refused', decidedBy: deciderId, decidedAt: sql<Date>`now()`, reason })
        .whereRef('c.code', '=', 'r.toAffiliationCode')
        .where('c.groupCode', '=', CODE_GROUP.affiliation)
        .where('r.id', 'in', requestIds)
        .returning('r.userId')
        .returning(sql`${affiliationDetail} || jsonb_build_object('reason', r.reason)`.as('detail')),
    )
    .with('told', (db) => notifyChanged(db, 'AFFILIATION_REFUSED', 'refused'))
    .selectFrom('refused')
    .select('userId')
    .where(wantsMailAtOnce('AFFILIATION_REFUSED', 'refused.userId'))
    .execute()
  return new Set(mailed.map(({ userId }) => userId ?? ''))
}
