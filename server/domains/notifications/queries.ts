import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { type Kind, SECURITY_KINDS } from '../../../contract/notifications.ts'
import { can } from '../../../contract/permissions.ts'
import { type Page, pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Db } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { isConcerned, type NotificationDetail, NOTIFICATIONS_KEPT } from '../../records/notifications.ts'
import { queryDecidableRequests } from '../approvals/index.ts'
import { dueAt, dueMonths, dueReviews, reviewDueAt, reviewId, reviewQuarter } from '../audit/index.ts'
import { mustReadsFor } from '../notices/index.ts'
import { inBranch } from '../roles/index.ts'
import { decidableResets } from '../users/index.ts'
import type { Language } from '../../../contract/messages/language.ts'

/** Days for which notifications are kept and shown (rules/notifications#kept). */
const KEPT_DAYS = 90

/** User whose notifications are read, with the fields that decide which concern them. */
export type Reader = Pick<
  SignedIn,
  'id' | 'userId' | 'affiliationCode' | 'roleCode' | 'partnerId' | 'functions' | 'within'
>

/** A notification before it is rendered. */
export interface FoundNotification {
  id: string
  kind: Kind
  /** Time of the event in the format of the wire. */
  created: string
  isRead: boolean
  detail: NotificationDetail & {
    noticeId?: string
    title?: string
    userId?: string
    name?: string
    month?: string
    quarter?: string
  }
}

/** SQL expression for the oldest time whose notifications are shown. */
const since = sql`now() - make_interval(days => ${sql.lit(KEPT_DAYS)})`
/** SQL literal of the number of notifications that are shown. */
const most = sql.lit(NOTIFICATIONS_KEPT)

/** SQL expression for the fields of a notification about a notice. */
const ofNotice = sql`case when notice_id is null then '{}' else jsonb_build_object('noticeId', notice_id::text,
  'title', (select t.title from notices t where t.id = notifications.notice_id)) end`

/** SQL expression for the name of the user who caused a notification, as JSON. */
const ofActor = sql`case when actor_id is null then '{}' else jsonb_build_object('name',
  (select a.name from users a where a.id = notifications.actor_id)) end`

/** SQL expression for the fields of a notification about the user `u`. */
const ofUser = sql`jsonb_build_object('userId', u.login_id, 'name', u.name)`

/** Returns the columns of a notification that is derived from a record and not stored. */
const eventOf = (kind: Kind, id: RawBuilder<unknown>, at: RawBuilder<unknown>, detail: RawBuilder<unknown>) =>
  [id.as('id'), sql`${sql.lit(kind)}`.as('kind'), at.as('at'), detail.as('detail')] as const

/**
 * Returns the query for all notifications of a user, newest first, as rows `id`, `kind`, `at`, `detail`, `is_read`: at
 * most NOTIFICATIONS_KEPT, of the last KEPT_DAYS. Must-read notices, pending requests and due inspections and reviews
 * come from their own lists when they are read, so no row is stored per user
 * (design/mail-and-notifications#notifications).
 * @param inPortal omits the kinds that the user does not want to see in the portal
 */
function queryNotifications(db: Db, reader: Reader, inPortal = true): RawBuilder<unknown> {
  const events = (whose: RawBuilder<unknown>) => sql`(
    select id::text, kind, at, detail || ${ofNotice} || ${ofActor} as detail from notifications
    where ${whose} and ${isConcerned(reader)} and at > ${since}
    order by at desc, notifications.id desc limit ${most})`
  const sources = [events(sql`user_id = ${reader.id}`)]
  const isPartnerInBranch =
    reader.within === null
      ? sql`partner_id is not null`
      : sql`partner_id in (select id from partners where ${inBranch(reader, sql.ref('affiliationCode'))})`
  if (can(reader, 'autho_partner_search')) sources.push(events(isPartnerInBranch))
  else if (reader.partnerId !== null) sources.push(events(sql`partner_id = ${reader.partnerId}`))

  const mustReads = mustReadsFor(db, reader)
    .select(
      eventOf(
        'MUST_READ',
        sql`'n' || n.id`,
        sql`n.published_at`,
        sql`jsonb_build_object('noticeId', n.id::text, 'title', n.title)`,
      ),
    )
    .where(sql<boolean>`n.published_at > ${since}`)
    .orderBy('n.publishedAt', 'desc')
    .limit(NOTIFICATIONS_KEPT)
  sources.push(sql`(${mustReads})`)

  if (can(reader, 'autho_user_manage')) {
    const signUps = queryDecidableRequests(db, reader)
      .select(eventOf('SIGN_UP', sql`'r' || r.id`, sql`r.requested_at`, ofUser))
      .where('r.kind', '=', 'account')
      .where(sql<boolean>`r.requested_at > ${since}`)
      .orderBy('r.requestedAt', 'desc')
      .limit(NOTIFICATIONS_KEPT)
    sources.push(sql`(${signUps})`)
    const resets = decidableResets(db, reader)
      .select(eventOf('FACTOR_RESET', sql`'f' || f.id`, sql`f.asked_at`, ofUser))
      .limit(NOTIFICATIONS_KEPT)
    sources.push(sql`(${resets})`)
  }
  if (can(reader, 'autho_audit_manage')) {
    const inspections = dueMonths(db)
      .select(
        eventOf(
          'INSPECTION',
          sql`to_char(h.month, '"i"YYYYMM')`,
          dueAt,
          sql`jsonb_build_object('month', to_char(h.month, 'YYYY-MM'))`,
        ),
      )
      .where(sql<boolean>`${dueAt} > ${since}`)
    sources.push(sql`(${inspections})`)
  }
  if (can(reader, 'autho_role_manage')) {
    const reviews = dueReviews(db)
      .select(eventOf('REVIEW', reviewId, reviewDueAt, sql`jsonb_build_object('quarter', ${reviewQuarter})`))
      .where(sql<boolean>`${reviewDueAt} > ${since}`)
    sources.push(sql`(${reviews})`)
  }
  return sql`
    select event.*, (
      event.at <= coalesce(state.read_until, '-infinity')
      or exists (select from notification_reads r where r.user_id = ${reader.id} and r.notification_id = event.id)
      or (event.kind = 'MUST_READ' and exists (select from notice_reads v
        where v.user_id = ${reader.id} and v.notice_id = (event.detail ->> 'noticeId')::bigint))
    ) as is_read
    from (${sql.join(sources, sql` union all `)}) as event
    left join notification_states state on state.user_id = ${reader.id}
    where ${inPortal ? sql`event.kind <> all (coalesce(state.hidden, '{}'))` : sql`true`}
    order by event.at desc, event.id desc limit ${most}`
}

/**
 * Returns a page of a user's notifications, newest first, their number, and the number of unread ones in all.
 * @param unreadOnly omits read ones from the page and its number
 */
export async function findNotifications(
  db: Db,
  reader: Reader,
  page: Page,
  unreadOnly: boolean,
): Promise<{ totalCount: number; unreadCount: number; rows: FoundNotification[] }> {
  const all = sql<Omit<FoundNotification, 'created'> & { at: Date }>`(${queryNotifications(db, reader)})`
  const list = db
    .selectFrom(all.as('event'))
    .select((eb) => ['id', 'kind', 'detail', 'isRead', wireTime(eb.ref('at')).as('created')])
    .$if(unreadOnly, (query) => query.where('isRead', '=', false))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  const { totalCount, rows, beside } = await pageOf(db, list, page, queryUnreadCount(all))
  return { totalCount, rows, unreadCount: beside?.unreadCount ?? 0 }
}

/** Returns the number of unread notifications of a user. */
export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const { rows } = await queryUnreadCount(sql`(${queryNotifications(db, reader)})`).execute(db)
  return rows[0]?.unreadCount ?? 0
}

/** Returns the query for the number of unread rows of `queryNotifications`. */
const queryUnreadCount = (all: RawBuilder<unknown>) =>
  sql<{
    unreadCount: number
  }>`select count(*) filter (where not is_read)::int as unread_count from ${all} as own`

/** Marks these notifications of the reader as read. Ignores IDs of other notifications. */
export async function saveRead(db: Db, reader: Reader, ids: readonly string[]): Promise<void> {
  await sql`insert into notification_reads (user_id, notification_id)
    select ${reader.id}, own.id from (${queryNotifications(db, reader)}) as own
    where not own.is_read and own.id = any(${ids}::text[]) on conflict do nothing`.execute(db)
}

/** Marks all current notifications of the reader as read. Later ones stay unread. */
export async function saveAllRead(db: Db, reader: Reader): Promise<void> {
  await sql`insert into notification_states as s (user_id, read_until)
    select ${reader.id}, max(own.at) from (${queryNotifications(db, reader)}) as own having count(*) > 0
    on conflict (user_id) do update set read_until = greatest(s.read_until, excluded.read_until)`.execute(db)
}

/** Selection of a user's notifications for a mail. All conditions apply together. */
export interface MailedPart {
  kinds: readonly Kind[]
  /** IDs to include; all if absent. Applies in addition to `since` (exclusive) and `until` (inclusive). */
  ids?: readonly string[]
  since?: Date
  until?: Date
}

/**
 * Returns the notifications for a mail to a user, the newest first: unread ones of the selection, including those
 * hidden in the portal, and all about the security of the account, also read ones.
 */
export async function findUnreadFor(
  db: Db,
  reader: Reader,
  { kinds, ids, since: after, until }: MailedPart,
): Promise<FoundNotification[]> {
  const { rows } = await sql<FoundNotification>`
    select id, kind, detail, is_read, ${wireTime(sql.ref('at'))} as created
    from (${queryNotifications(db, reader, false)}) as own
    where (not is_read or kind = any(${[...SECURITY_KINDS]}::text[])) and kind = any(${kinds}::text[])
      and ${ids === undefined ? sql`true` : sql`id = any(${ids}::text[])`}
      and ${after === undefined ? sql`true` : sql`at > ${after}`}
      and ${until === undefined ? sql`true` : sql`at <= ${until}`}
    order by at desc, id desc`.execute(db)
  return rows
}

/**
 * Deletes stored notifications `days` days after their event, the oldest first (rules/retention#kinds).
 * @returns the number of deleted rows, at most `limit`
 */
export async function eraseNotifications(tx: Db, days: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from notifications where id = any(array(
    select id from notifications where at < now() - make_interval(days => ${days})
    order by at limit ${limit} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Deletes the marks of read notifications after KEPT_DAYS, and those of mailed ones after 3 days, when they no longer
 * have an effect. Leaves the notifications.
 */
export async function removeOldNotifications(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from notification_reads where read_at < now() - make_interval(days => ${KEPT_DAYS})`,
  )
  await pool.query(`delete from notification_mails where at < now() - interval '3 days'`)
}

/** Returns a notification as the response contains it, with the name of an affiliation in this language. */
export function toItem({ id, kind, created, isRead, detail }: FoundNotification, language: Language) {
  const { affiliationKo, affiliationEn, period, ...rest } = detail
  const affiliationName = language === 'ko' ? affiliationKo : affiliationEn
  return {
    notificationId: id,
    kind,
    createdAt: created,
    read: isRead,
    ...rest,
    ...(affiliationName !== undefined && { affiliationName }),
    ...(period !== undefined && { period: period as 'day' | 'week' | 'month' | 'total' }),
  }
}
