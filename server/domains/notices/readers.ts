import { sql } from 'kysely'
import type pg from 'pg'
import { refuse } from '../../../contract/errors.ts'
import { can } from '../../../contract/permissions.ts'
import type { Language } from '../../../contract/messages/language.ts'
import {
  type confirmNotice as confirmEndpoint,
  type listUnread as listEndpoint,
  REMIND_EVERY_HOURS,
  REMINDERS_A_DAY,
  type remindUnread as remindEndpoint,
} from '../../../contract/notices.ts'
import { type Page, pageOf } from '../../db/list.ts'
import { mayLogIn, today, wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { composeMail } from '../../services/mail/compose.ts'
import { queueMails } from '../../services/mail.ts'
import { affiliationName } from '../common/index.ts'
import { inBranch } from '../roles/index.ts'
import { lockNotice } from './write.ts'
import { isFor, isForUser, isOwnNotice, maySeeNotice, type Reader } from '../../db/notice-visibility.ts'

/**
 * Records that the caller has read a must-read notice, with an audit row. A repeated call keeps the first
 * confirmation and writes nothing.
 * @throws {Refusal} NOTICE_NOT_FOUND if the notice is missing, not must-read or not published, or the caller is
 * neither in its audience nor its author
 */
export const confirmNotice: Handler<typeof confirmEndpoint> = (call, { noticeId }) =>
  call.db.transaction().execute(async (tx) => {
    const notice = await tx
      .selectFrom('notices')
      .select('id')
      .where('id', '=', noticeId)
      .where('mustRead', '=', true)
      .where(sql<boolean>`published_at <= now()`)
      .where((eb) => eb.or([eb('authorId', '=', call.actor.id), isFor(call.actor)]))
      .forKeyShare()
      .executeTakeFirst()
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    const { numInsertedOrUpdatedRows: written } = await tx
      .insertInto('noticeReads')
      .values({ noticeId: notice.id, userId: call.actor.id, confirmedAt: sql`now()` })
      .onConflict((conflict) =>
        conflict
          .columns(['noticeId', 'userId'])
          .doUpdateSet({ confirmedAt: sql`now()` })
          .where('noticeReads.confirmedAt', 'is', null),
      )
      .executeTakeFirstOrThrow()
    if (written === 0n) return
    await call.audit(tx, { target: notice.id, records: [`notice/${notice.id}`] })
  })

/**
 * Returns the query for the published must-read notices that a user has to read, confirmed or not: the user is in
 * their audience and is not their author.
 */
export function mustReadsFor(db: Db, reader: Reader) {
  return db
    .selectFrom('notices as n')
    .where('n.mustRead', '=', true)
    .where(sql<boolean>`n.published_at <= now()`)
    .where('n.authorId', '<>', reader.id)
    .where(isFor(reader, 'n'))
}

/**
 * Returns the query for the must-read notices of `mustReadsFor` that the user has not confirmed yet
 * (rules/notices#read-confirmation).
 */
export function toConfirm(db: Db, reader: Reader) {
  return mustReadsFor(db, reader).where(
    sql<boolean>`not exists (select from notice_reads r
      where r.notice_id = n.id and r.user_id = ${reader.id} and r.confirmed_at is not null)`,
  )
}

/**
 * Returns a page of the users who have not confirmed a must-read notice, and the numbers of those who have and
 * have not. Writes an audit row of the view. An author without `autho_notice_manage` gets the numbers and no
 * users. A manager of one branch gets users and numbers of the branch.
 * @throws {Refusal} NOTICE_NOT_FOUND if the notice is not must-read or the caller may not see it; FORBIDDEN if the
 * caller neither wrote nor manages it; NOTICE_NOT_PUBLISHED
 */
export const listUnread: Handler<typeof listEndpoint> = async (call, input) => {
  const { actor } = call
  const { totalCount, rows, beside: notice } = await findUnread(call, input)
  if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
  if (!notice.isOwn) return refuse('FORBIDDEN')
  if (!notice.isPublished) return refuse('NOTICE_NOT_PUBLISHED')
  const unread = can(actor, 'autho_notice_manage') ? rows : []
  await call.auditLook({ target: input.noticeId, detail: { count: unread.length }, records: null })
  return { unread, totalCount, readCount: notice.readCount, remindAfter: notice.remindAfter }
}

/**
 * Queues an email to every user who has not confirmed a must-read notice, except users who got REMINDERS_A_DAY
 * reminders today. Stores the time of the reminder and writes an audit row, in the same transaction.
 * @returns the number of emails
 * @throws {Refusal} NOTICE_NOT_FOUND if it is not must-read; NOTICE_NOT_PUBLISHED; REMINDED_ALREADY with the
 * seconds to wait, if the last reminder of this notice was within REMIND_EVERY_HOURS; and as `lockNotice`
 */
export const remindUnread: Handler<typeof remindEndpoint> = async (call, { noticeId }) => {
  const { db, actor, services } = call
  const sentCount = await db.transaction().execute(async (tx) => {
    // If two calls run concurrently, the second waits here and is then refused.
    const notice = await lockNotice(tx, actor, noticeId)
    if (!notice.mustRead) return refuse('NOTICE_NOT_FOUND')
    if (!notice.isPublished) return refuse('NOTICE_NOT_PUBLISHED')
    const { remindAfter, published } = await findMustRead(tx, actor, noticeId)
    if (remindAfter > 0) return refuse('REMINDED_ALREADY', { retryAfterSeconds: remindAfter })

    const people = await takeReminders(tx, noticeId)
    const link = services.settings.link(`/notice/detail?noticeId=${noticeId}`)
    const values = { title: notice.title, sender: actor.name, time: published.slice(0, 16) }
    const reminder = (language: Language) =>
      composeMail(services.settings, 'noticeReminder', language, values, link)
    const mails = { ko: reminder('ko'), en: reminder('en') }
    await queueMails(
      tx,
      people.map(({ email, language }) => ({
        to: email,
        ...mails[language],
        requester: call.requester,
      })),
    )
    await tx
      .updateTable('notices')
      .set({ remindedAt: sql`now()` })
      .where('id', '=', noticeId)
      .execute()
    await call.audit(tx, {
      target: noticeId,
      detail: { count: people.length },
      records: [`notice/${noticeId}`],
    })
    return people.length
  })
  services.mail.wake()
  return { sentCount }
}

/**
 * Returns the state of a must-read notice that the actor wrote or manages: `published`, `isPublished`, and
 * `remindAfter`, the seconds until the next reminder is allowed (0 if it is now).
 * @throws {Refusal} NOTICE_NOT_FOUND if the notice is not must-read or the actor may not see it; FORBIDDEN if the
 * actor may only see it
 */
async function findMustRead(db: Db, actor: SignedIn, id: string) {
  const notice = await mustReadOf(db, actor, id)
    .select(wireTime(sql.ref('publishedAt')).as('published'))
    .executeTakeFirst()
  if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
  return notice.isOwn ? notice : refuse('FORBIDDEN')
}

/**
 * Returns the query for a must-read notice that the actor may see: whether the actor wrote or manages it
 * (`isOwn`), whether it is published, and the seconds until the next reminder is allowed.
 */
function mustReadOf(db: Db, actor: SignedIn, id: string) {
  return db
    .selectFrom('notices')
    .select([
      isOwnNotice(actor).as('isOwn'),
      sql<boolean>`published_at <= now()`.as('isPublished'),
      sql<number>`greatest(0, ceil(extract(epoch from
        reminded_at + make_interval(hours => ${sql.lit(REMIND_EVERY_HOURS)}) - now())))::int`.as(
        'remindAfter',
      ),
    ])
    .where('id', '=', id)
    .where('mustRead', '=', true)
    .where(maySeeNotice(actor))
}

/**
 * Returns the query for the users who still have to confirm a notice: in its audience, able to log in, not its
 * author, and without a confirmation.
 */
function unreadersOf(db: Db, noticeId: string) {
  return db
    .selectFrom('users as u')
    .where(mayLogIn('u'))
    .where(
      sql<boolean>`exists (select from notices n
        where n.id = ${noticeId} and n.author_id <> u.id and ${isForUser('u', 'n')})`,
    )
    .where(
      sql<boolean>`not exists (select 1 from notice_reads r
        where r.notice_id = ${noticeId} and r.user_id = u.id and r.confirmed_at is not null)`,
    )
}

/**
 * Counts a reminder for today for every user who has not confirmed the notice and is below REMINDERS_A_DAY. Sends
 * nothing.
 * @returns email and language of these users
 */
async function takeReminders(tx: Tx, noticeId: string) {
  // In a fixed order, so that two reminders of two notices do not deadlock.
  const people = unreadersOf(tx, noticeId).select(['u.id', 'u.email', 'u.language']).orderBy('u.id')
  const { rows } = await sql<{ email: string; language: Language }>`
    with people as materialized (${people}),
    counted as (
      insert into notice_reminders (user_id, day, sent) select id, ${today}, 1 from people order by id
      on conflict (user_id, day) do update set sent = notice_reminders.sent + 1
        where notice_reminders.sent < ${REMINDERS_A_DAY}
      returning user_id
    )
    select p.email, p.language from people p join counted c on c.user_id = p.id`.execute(tx)
  return rows
}

/**
 * Deletes the counts of past days. They limit the reminders of a user per Korean day (rules/notices#reminder).
 */
export async function removeOldReminders(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from notice_reminders where day < (now() at time zone 'Asia/Seoul')::date`)
}

/**
 * Returns a page of the users who have not confirmed the notice and their total, and as `beside` the state of the
 * notice with the number of confirmations. `beside` is undefined if the actor may not see the notice. No users are
 * returned if the notice is not published, or the actor neither wrote nor manages it.
 */
function findUnread(
  { db, actor, language }: Pick<Call<typeof listEndpoint>, 'db' | 'actor' | 'language'>,
  input: Page & { noticeId: string },
) {
  // A manager of one branch reads about its users alone.
  const branch = can(actor, 'autho_notice_manage') ? actor : { within: null }
  const unread = unreadersOf(db, input.noticeId)
    .where(inBranch(branch, sql.ref('u.affiliationCode')))
    .leftJoin('noticeReads as v', (join) =>
      join.onRef('v.userId', '=', 'u.id').on('v.noticeId', '=', input.noticeId),
    )
    .select([
      'u.loginId as userId',
      'u.name',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      'u.position',
      sql<boolean>`v.viewed_at is not null`.as('viewed'),
    ])
    .where(
      sql<boolean>`exists (select 1 from notices
        where id = ${input.noticeId} and must_read and published_at <= now() and ${isOwnNotice(actor)})`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
  // One snapshot for both counts, so that a concurrent confirmation is in exactly one of them.
  const notice = mustReadOf(db, actor, input.noticeId).select(
    sql<number>`(select count(*)::int from notice_reads r join users u on u.id = r.user_id
      where r.notice_id = ${input.noticeId} and r.confirmed_at is not null and ${inBranch(branch, sql.ref('u.affiliationCode'))})`.as(
      'readCount',
    ),
  )
  return pageOf(
    db,
    unread,
    input,
    sql<NonNullable<Awaited<ReturnType<typeof notice.executeTakeFirst>>>>`${notice}`,
  )
}
