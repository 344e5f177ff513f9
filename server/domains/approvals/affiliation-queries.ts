import { type Kysely, sql, type Transaction } from 'kysely'
import { CODE_GROUP } from '../../../contract/common.ts'
import type { Language } from '../../../contract/messages/language.ts'
import { mailTexts } from '../../../contract/messages/mails.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { byPerson, queueMails } from '../../services/mail.ts'
import { notifyChanged, wantsMailAtOnce } from '../../services/notifications.ts'
import { affiliationName } from '../common/index.ts'
import type { Decision } from './decide.ts'

/** Returns the user's own open request for another affiliation (rules/users#affiliation-change). */
export async function findOpenChange(db: Kysely<Database>, userId: string, language: Language) {
  const row = await db
    .selectFrom('approval_requests as r')
    .select((eb) => [
      'r.to_affiliation_code as newAffiliationCode',
      affiliationName('r.to_affiliation_code', language).as('newAffiliationName'),
      wireTime(eb.ref('r.requested_at')).as('requestedAt'),
    ])
    .where('r.user_id', '=', userId)
    .where('r.kind', '=', 'affiliation')
    .where('r.state', '=', 'waiting')
    .executeTakeFirst()
  return row && { ...row, newAffiliationCode: row.newAffiliationCode ?? '' }
}

/**
 * Cancels a user's own open request, because they no longer want it or request another affiliation. The caller must lock the user's row.
 * @returns the requested affiliation; undefined if there was no open request
 */
export async function withdrawOpenChange(tx: Transaction<Database>, userId: string) {
  const row = await tx
    .updateTable('approval_requests')
    .set({ state: 'withdrawn', decided_by: userId, decided_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('kind', '=', 'affiliation')
    .where('state', '=', 'waiting')
    .returning('to_affiliation_code')
    .executeTakeFirst()
  return row?.to_affiliation_code ?? undefined
}

/**
 * Creates a request for another affiliation. It replaces an open one. The caller must lock the user's row.
 * @returns approval_requests.id
 */
export async function askForAffiliation(
  tx: Transaction<Database>,
  user: { id: string; login_id: string; name: string; email: string; affiliation_code: string },
  affiliation: string,
): Promise<string> {
  await withdrawOpenChange(tx, user.id)
  const { id } = await tx
    .insertInto('approval_requests')
    .values({
      user_id: user.id,
      login_id: user.login_id,
      name: user.name,
      email: user.email,
      affiliation_code: user.affiliation_code,
      kind: 'affiliation',
      to_affiliation_code: affiliation,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Approves the open requests of users whose affiliation was changed by an edit to the requested one, and notifies them, as on the page of
 * requests. The caller has locked and changed the users' rows.
 */
export async function approveOpenChanges(
  tx: Transaction<Database>,
  userIds: readonly string[],
  decision: Decision,
): Promise<void> {
  const decided = await tx
    .updateTable('approval_requests as r')
    .from('users as u')
    .set({ state: 'approved', decided_by: decision.deciderId, decided_at: sql<Date>`now()` })
    .whereRef('u.id', '=', 'r.user_id')
    .whereRef('u.affiliation_code', '=', 'r.to_affiliation_code')
    .where('r.user_id', '=', sql<string>`any(${userIds}::bigint[])`)
    .where('r.kind', '=', 'affiliation')
    .where('r.state', '=', 'waiting')
    .returning('u.id')
    .execute()
  if (decided.length > 0) {
    await tellApproved(
      tx,
      decided.map(({ id }) => id),
      decision,
    )
  }
}

/** Detail of a notification about an affiliation, the row `c`. */
const affiliationDetail = sql`jsonb_build_object('affiliationKo', c.name_ko, 'affiliationEn', c.name_en)`

/** Notifies users of their new affiliation, by mail too, with its name in their language. */
export async function tellApproved(
  tx: Transaction<Database>,
  userIds: readonly string[],
  { deciderId, settings }: Decision,
): Promise<void> {
  const people = await tx
    .with('people', (db) =>
      db
        .selectFrom('users as u')
        .innerJoin('codes as c', (join) =>
          join.onRef('c.code', '=', 'u.affiliation_code').on('c.group_code', '=', CODE_GROUP.affiliation),
        )
        .select(['u.id as user_id', 'u.login_id', 'u.email', 'u.language', 'c.name_ko', 'c.name_en'])
        .select([
          affiliationDetail.as('detail'),
          wantsMailAtOnce('AFFILIATION_APPROVED', 'u.id').as('mailed'),
        ])
        .where('u.id', 'in', userIds),
    )
    .with('told', (db) => notifyChanged(db, 'AFFILIATION_APPROVED', 'people'))
    .selectFrom('people')
    .select(['login_id', 'email', 'language', 'name_ko', 'name_en'])
    .where('mailed', '=', true)
    .execute()
  await queueMails(
    tx,
    people.map(({ login_id, email, language, ...affiliation }) => ({
      to: email,
      language,
      text: mailTexts[language].affiliationChanged(
        settings.now().company,
        login_id,
        affiliation[`name_${language}`],
      ),
      link: settings.link('/mypage'),
      choices: settings.link('/notification/setting'),
      requester: byPerson(deciderId),
    })),
  )
}

/** Gives users their new affiliation and a partner of it. */
export async function saveChanges(
  tx: Transaction<Database>,
  changes: readonly { id: string; affiliation: string; partnerId: string }[],
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  const affiliations = changes.map(({ affiliation }) => affiliation)
  const partnerIds = changes.map(({ partnerId }) => partnerId)
  await sql`update users set affiliation_code = chosen.affiliation, partner_id = chosen.partner_id, updated_at = now()
    from unnest(${ids}::bigint[], ${affiliations}::text[], ${partnerIds}::bigint[]) as chosen (id, affiliation, partner_id)
    where users.id = chosen.id`.execute(tx)
}

/** Marks these requests as approved. */
export async function closeChanges(
  tx: Transaction<Database>,
  requestIds: readonly string[],
  deciderId: string,
): Promise<void> {
  await tx
    .updateTable('approval_requests')
    .set({ state: 'approved', decided_by: deciderId, decided_at: sql<Date>`now()` })
    .where('id', 'in', requestIds)
    .execute()
}

/**
 * Marks these requests as rejected and notifies the requesters.
 * @returns users.id of the requesters who want an immediate mail
 */
export async function refuseChanges(
  tx: Transaction<Database>,
  requestIds: readonly string[],
  { deciderId, reason }: { deciderId: string; reason: string },
): Promise<Set<string>> {
  const mailed = await tx
    .with('refused', (db) =>
      db
        .updateTable('approval_requests as r')
        .from('codes as c')
        .set({ state: 'refused', decided_by: deciderId, decided_at: sql<Date>`now()`, reason })
        .whereRef('c.code', '=', 'r.to_affiliation_code')
        .where('c.group_code', '=', CODE_GROUP.affiliation)
        .where('r.id', 'in', requestIds)
        .returning('r.user_id')
        .returning(sql`${affiliationDetail} || jsonb_build_object('reason', r.reason)`.as('detail')),
    )
    .with('told', (db) => notifyChanged(db, 'AFFILIATION_REFUSED', 'refused'))
    .selectFrom('refused')
    .select('user_id')
    .where(wantsMailAtOnce('AFFILIATION_REFUSED', 'refused.user_id'))
    .execute()
  return new Set(mailed.map(({ user_id }) => user_id ?? ''))
}
