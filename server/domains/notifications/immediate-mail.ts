import { sql } from 'kysely'
import { notifications as en } from '../../../contract/messages/en/notifications.ts'
import { notifications as ko } from '../../../contract/messages/ko/notifications.ts'
import { type NotificationItem, notificationMails } from '../../../contract/messages/mails-notifications.ts'
import { DERIVED_KINDS, describe, MAIL, type Target } from '../../../contract/notifications/kinds.ts'
import { can } from '../../../contract/permissions.ts'
import { LOCK } from '../../db/locks.ts'
import type { Db, Tx } from '../../db/database.ts'
import { byPerson, queueMails, TO_MANY } from '../../services/mail.ts'
import type { QueuedMail } from '../../services/mail/queue.ts'
import type { Settings } from '../../services/settings.ts'
import { dueAt, presentQuarter, reviewDueAt, reviewId } from '../audit/index.ts'
import { findUnreadFor, type FoundNotification, type MailedPart, toItem } from './queries.ts'
import { findRecipients, type Recipient } from './recipients.ts'

/** Most notifications that a mail lists. The mail states the number of the others. */
const LISTED = 50
/** Most events for which one call queues mails. */
const AT_ONCE = 100
/** Users whose mails one insert queues. */
const CHUNK = 200

/** Texts of notifications in each language. */
const texts = { ko, en }

/**
 * Queues a mail to each user who asked for immediate mail, about the oldest events that were not mailed yet, from all
 * servers: at most AT_ONCE. Each event is mailed once: the mails and the mark of the event are one transaction. Events
 * that were not mailed within a day are only shown by the notification bell.
 * @param signal aborts when the server ends; the call then rolls back
 * @returns true if this server handled events, so that there may be more; false if there were none, or another server
 * handles them
 */
export async function mailAtOnce(db: Db, settings: Settings, signal?: AbortSignal): Promise<boolean> {
  // Usually there are no events, and one statement is enough to see this.
  if ((await findUnmailed(db)).length === 0) return false
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(${LOCK.notificationMails}) as mine`.execute(tx)
    // Another server is sending.
    if (rows[0]?.mine !== true) return false
    // After the lock, so that the marks of the previous server are visible.
    const events = await findUnmailed(tx)
    if (events.length === 0) return false
    const ids = events.map(({ id }) => id)
    await sql`insert into notification_mails (notification_id) select unnest(${ids}::text[])`.execute(tx)
    const people = await findRecipients(
      tx,
      MAIL.atOnce,
      events.flatMap(({ userId }) => userId ?? []),
      DERIVED_KINDS.filter((kind) => events.some((event) => event.kind === kind)),
    )
    await queueNotificationMails(tx, settings, people, { ids }, signal)
    return true
  })
}

/**
 * Returns the events of the last day that were not mailed yet, oldest first, at most AT_ONCE. `userId` is users.id of
 * the only user whom the event concerns, or null.
 */
async function findUnmailed(db: Db) {
  const { rows } = await sql<{ id: string; kind: string; userId: string | null }>`
    with since as (select now() - interval '1 day' as at)
    select * from (
      select id::text collate "C" as id, kind, user_id, at from notifications where at > (select at from since)
      union all
      select 'n' || id, 'MUST_READ', null, published_at from notices
        where must_read and published_at > (select at from since) and published_at <= now()
      union all
      select 'r' || id, 'SIGN_UP', null, requested_at from approval_requests
        where state = 'waiting' and kind = 'account' and requested_at > (select at from since)
      union all
      select 'f' || id, 'FACTOR_RESET', null, asked_at from factor_resets
        where state = 'waiting' and asked_at > (select at from since)
      union all
      select to_char(h.month, '"i"YYYYMM'), 'INSPECTION', null, ${dueAt} from access_log_heads h
        where ${dueAt} > (select at from since) and ${dueAt} <= now()
      union all
      select ${reviewId}, 'REVIEW', null, ${reviewDueAt} from ${presentQuarter} as q
        where ${reviewDueAt} > (select at from since) and q.quarter >= (select reviews_from from settings)
    ) as event
    where not exists (select from notification_mails m where m.notification_id = event.id)
    order by at, id limit ${sql.lit(AT_ONCE)}`.execute(db)
  return rows
}

/**
 * Queues one mail for each user with their unread notifications; none for a user without any. Does not mark them as
 * mailed.
 * @param part which notifications the mail may list
 * @param signal makes the call throw when it aborts
 */
export async function queueNotificationMails(
  tx: Tx,
  settings: Settings,
  people: readonly Recipient[],
  part: Omit<MailedPart, 'kinds'>,
  signal?: AbortSignal,
): Promise<void> {
  for (let first = 0; first < people.length; first += CHUNK) {
    const mails: QueuedMail[] = []
    for (const person of people.slice(first, first + CHUNK)) {
      signal?.throwIfAborted()
      const found = await findUnreadFor(tx, person, { ...part, kinds: person.kinds })
      if (found.length > 0) mails.push(composeMailOf(person, found, settings))
    }
    await queueMails(tx, mails)
  }
}

/**
 * Returns the mail to a user about these notifications: with the text and link of a single one, or a list of the newest
 * LISTED.
 */
function composeMailOf(
  person: Recipient,
  found: readonly FoundNotification[],
  settings: Settings,
): QueuedMail {
  const { language, email: to } = person
  const { company } = settings.now()
  const words = notificationMails[language]
  const choices = settings.link('/notification/setting')
  const [first] = found
  if (first !== undefined && found.length === 1) {
    const item = toMailItem(person, first, settings)
    const text = words.one(company, item, first.kind === 'NEW_NETWORK')
    // Mails about the user do not wait behind mails to many users.
    const requester = DERIVED_KINDS.includes(first.kind) ? TO_MANY : byPerson(person.id)
    return { to, language, text, link: item.link, choices, requester }
  }
  const items = found.slice(0, LISTED).map((one) => toMailItem(person, one, settings))
  const text = words.several(company, items, found.length)
  return { to, language, text, link: settings.link('/notification/search'), choices, requester: TO_MANY }
}

/** Returns a text on one line. Programs choose the names of key requests freely. */
const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Returns a notification as a mail shows it: its text, detail, time and link, in the language of the user. */
function toMailItem(person: Recipient, found: FoundNotification, settings: Settings): NotificationItem {
  const one = toItem(found, person.language)
  const { words, detail, target } = describe(one, texts[person.language], (name) => can(person, name))
  return {
    words: toOneLine(words),
    detail: toOneLine(detail),
    time: found.created.slice(0, 16),
    link: settings.link(toPath(target)),
  }
}

/** Returns the path of a page with its query. */
function toPath(target: Target): `/${string}` {
  return 'search' in target ? `${target.to}?${String(new URLSearchParams(target.search))}` : target.to
}
