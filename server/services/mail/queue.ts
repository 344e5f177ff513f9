import { sql } from 'kysely'
import type pg from 'pg'
import type { MailText } from '../../../contract/messages/mails.ts'
import type { Language } from '../../../contract/messages/language.ts'
import type { Db } from '../../db/database.ts'
import { renderMail } from './render.ts'

/** Mail to be sent once the transaction that queues it is committed. */
export interface QueuedMail {
  /** Null for a mail that is rendered and queued like all others, but sent to no one. */
  to: string | null
  language: Language
  /** Subject and paragraphs of the mail. */
  text: MailText
  /** Link to the page that the mail is about (`settings.link`); null while the URL of the portal is not set. */
  link: string | null
  /** Link to the preferences for such mails; absent if there is no preference for them. */
  choices?: string | null
  /** True for a mail with a code or a password. It is sent before all others (rules/running#mail-queue). */
  isUrgent?: boolean
  /**
   * Key of the requester: BY_PORTAL, TO_MANY or `byPerson`. The mails of one requester wait for each other, but do not delay
   * those of others (design/mail-and-notifications#mail-queue).
   */
  requester: string
  /** Seconds after which the mail is useless and is dropped. */
  expiresInSeconds?: number
}

/**
 * Queues a mail in the transaction of its event, so that a crash loses no mail. The caller wakes the mail job after the
 * commit.
 */
export function queueMail(tx: Db, mail: QueuedMail): Promise<void> {
  return queueMails(tx, [mail])
}

/** Requester of mails that a date or a count triggers, rather than a user. */
export const BY_PORTAL = 'portal'

/** Requester of mails to many users, which do not delay other mails of the portal. */
export const TO_MANY = 'many'

/**
 * Returns the requester key of a user.
 * @param id users.id of the user who triggers a mail, or requests a code
 */
export const byPerson = (id: string) => `person ${id}`

/** Most mails that one statement inserts. */
const MAILS_AT_ONCE = 1000

/**
 * Queues many mails, as `queueMail`. `turn` is the round in which a mail is sent (design/mail-and-notifications#mail-queue):
 * the first mail of a requester joins the current round, the lowest one that waits; each further mail joins the round after
 * the requester's last. Mails that share `text` and `link` are rendered once: they must also share language and choices.
 */
export async function queueMails(tx: Db, mails: readonly QueuedMail[]): Promise<void> {
  const rendered = new Map<MailText, ReturnType<typeof renderMail> & { link: string | null }>()
  for (let first = 0; first < mails.length; first += MAILS_AT_ONCE) {
    const rows = mails.slice(first, first + MAILS_AT_ONCE).map((mail, place) => {
      const { to: recipient, language, text, link, isUrgent: urgent = false, requester } = mail
      const known = rendered.get(text)
      const words =
        known?.link === link ? known : { ...renderMail(text, language, link, mail.choices ?? null), link }
      rendered.set(text, words)
      const { subject } = text
      const seconds = mail.expiresInSeconds ?? null
      return { place, recipient, subject, text: words.text, html: words.html, seconds, urgent, requester }
    })
    // By the database's clock, which also decides when a mail has expired; null never does.
    await sql`insert into mails (recipient, subject, text, html, expires_at, urgent, requester, turn)
      select recipient, subject, text, html, now() + make_interval(secs => seconds), urgent, requester,
        row_number() over (partition by requester, urgent order by place) - 1 + coalesce(
          (select max(own.turn) + 1 from mails own
            where own.requester = row.requester and own.urgent = row.urgent and own.failed_at is null),
          (select min(waiting.turn) from mails waiting
            where waiting.urgent = row.urgent and waiting.failed_at is null),
          0)
      from json_to_recordset(${JSON.stringify(rows)}::json) as row (place int, recipient text, subject text,
        text text, html text, seconds int, urgent boolean, requester text)`.execute(tx)
  }
}

/** A mail that a sender has taken. */
export interface DueMail {
  id: string
  /** True for a mail that goes before all others. */
  urgent: boolean
  /** Email address; null for a mail that is not sent, so that the time of a call does not tell whether an account exists. */
  recipient: string | null
  subject: string
  text: string
  html: string
  /** Number of attempts, including this one. */
  tries: number
  queued_at: Date
  /** True if `expiresInSeconds` have passed. */
  is_expired: boolean
  /** True if it was queued HOPELESS_AFTER ago. */
  is_hopeless: boolean
}

/** Time after which the mail of a crashed sender is free again. A running sender gives up well before. */
const LEASE = '2 minutes'
/** Age from which a mail that fails is not tried again. */
const HOPELESS_AFTER = '3 days'

/**
 * Takes the next due mail, urgent ones before all others, and counts the attempt. No other sender gets it for 2 minutes. Also
 * takes mails that have expired or were queued 3 days ago: the caller checks `is_expired` and `is_hopeless`.
 * @param onlyUrgent skips mails that are not urgent
 * @returns undefined if no mail is due
 */
export async function takeDue(pool: pg.Pool, onlyUrgent = false): Promise<DueMail | undefined> {
  const { rows } = await pool.query<DueMail>(`
    update mails set next_try_at = now() + interval '${LEASE}', tries = tries + 1
    where id = (
      select id from mails where failed_at is null and next_try_at <= now()${onlyUrgent ? ' and urgent' : ''}
      order by urgent desc, turn, next_try_at limit 1 for update skip locked
    )
    returning id, urgent, recipient, subject, text, html, tries, created_at as queued_at,
      coalesce(expires_at < now(), false) as is_expired,
      created_at < now() - interval '${HOPELESS_AFTER}' as is_hopeless`)
  return rows[0]
}

/** Deletes a mail that was sent, has expired or has no recipient. */
export async function removeMail(pool: pg.Pool, { id }: DueMail): Promise<void> {
  await pool.query('delete from mails where id = $1', [id])
}

/** Makes a mail due again after a number of seconds, and stores the reason. */
export async function postponeMail(
  pool: pg.Pool,
  { id }: DueMail,
  seconds: number,
  reason: string,
): Promise<void> {
  await pool.query(
    `update mails set next_try_at = now() + make_interval(secs => $2), last_error = $3 where id = $1`,
    [id, seconds, reason],
  )
}

/**
 * Marks a mail as failed, so that it is not tried again. Deletes its text, which may contain secrets. `eraseRefusedMails` deletes the
 * row later.
 */
export async function markMailFailed(pool: pg.Pool, { id }: DueMail, reason: string): Promise<void> {
  await pool.query(
    `update mails set failed_at = now(), last_error = $2, text = '', html = '' where id = $1`,
    [id, reason],
  )
}

/**
 * Deletes mails a number of days after they were marked as failed (rules/retention#kinds).
 * @returns the number of deleted mails, at most `most`
 */
export async function eraseRefusedMails(tx: Db, days: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from mails where id = any(array(
    select id from mails where failed_at < now() - make_interval(days => ${days}) limit ${most} for update skip locked))`.execute(
    tx,
  )
  return Number(numAffectedRows)
}
