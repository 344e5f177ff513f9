import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../db/types.ts'
import { maskedEmail, maskedPhone } from '../../exports/index.ts'
import { hasMonthEnded } from '../../../services/access-log/chain.ts'
import { settledEventId } from '../events.ts'

/** The exported logs. */
export const LOGS = ['audit', 'access'] as const
/** The audit log or the access log. */
export type ExportedLog = (typeof LOGS)[number]

/** Position of a log up to which a destination has its rows, as in the table `log_exports`. */
export interface LogPosition {
  log: ExportedLog
  /** First day of the month of the access log; null for the audit log. */
  month: string | null
  /** Number of the last row: its ID in the audit log, or its position in the month of the access log. */
  position: string
  /** Number of the last row for the receiver: consecutive, and for the access log the same as `position`. */
  number: string
}

/** A row of a log for other programs (rules/events#exported-rows). */
export interface ExportedRow extends LogPosition {
  /** Time in Asia/Seoul with microseconds and offset. */
  at: string
  /** Fields of the row, in their order. */
  fields: Record<string, unknown>
}

/** Most rows of each log in a batch. */
export const ROWS_IN_BATCH = 1000

/** SQL expression for the time of a row `l`, as `ExportedRow.at`. */
const timeText = sql<string>`to_char(l.at at time zone 'Asia/Seoul', 'YYYY-MM-DD"T"HH24:MI:SS.US"+09:00"')`

/**
 * Returns the current end of a log, after which a new destination gets rows.
 * @returns undefined while a transaction with an older row runs
 */
export async function endOfLog(db: Kysely<Database>, log: ExportedLog): Promise<LogPosition | undefined> {
  if (log === 'audit') {
    const position = await settledEventId(db)
    return position === null ? undefined : { log, month: null, position, number: '0' }
  }
  // Without a row yet, the log begins this month.
  const { rows } = await sql<{ month: string; position: string }>`
    select coalesce(h.month, date_trunc('month', now() at time zone 'Asia/Seoul')::date) as month,
      coalesce(h.position, 0) as position
    from (select) as one left join (select * from access_log_heads order by month desc limit 1) as h on true`.execute(
    db,
  )
  const [head] = rows
  return head && { log, ...head, number: head.position }
}

/**
 * Returns the next rows of a log after a position, oldest first and without a gap: at most ROWS_IN_BATCH. Phone numbers
 * and emails are masked. Returns none while an older row may still be written.
 */
export function rowsAfter(db: Kysely<Database>, last: LogPosition): Promise<ExportedRow[]> {
  return last.log === 'audit' ? auditRowsAfter(db, last) : accessRowsAfter(db, last)
}

/**
 * Returns the next rows of the audit log, as `rowsAfter`, with contacts masked; none while an earlier transaction is writing.
 */
async function auditRowsAfter(db: Kysely<Database>, last: LogPosition): Promise<ExportedRow[]> {
  const end = await settledEventId(db)
  if (end === null) return []
  const rows = await db
    .selectFrom('auditLog as l')
    .leftJoin('users as u', 'u.id', 'l.actorId')
    .select(['l.id', timeText.as('at'), 'l.action', 'l.actorId', 'u.loginId'])
    .select(['l.target', 'l.records', 'l.address', 'l.requestId', 'l.detail'])
    .where('l.id', '>', last.position)
    .where('l.id', '<=', end)
    .orderBy('l.id')
    .limit(ROWS_IN_BATCH)
    .execute()
  return rows.map(({ id, at, actorId, loginId, target, detail, records, ...row }, place) => {
    const number = String(BigInt(last.number) + BigInt(place) + 1n)
    const actor = actorId === null ? null : { id: actorId, loginId }
    const fields = {
      ...row,
      eventId: id,
      actor,
      target: maskContacts('', target),
      records,
      detail: maskContacts('', detail),
    }
    return { log: 'audit', month: null, position: id, number, at, fields }
  })
}

/**
 * Returns the next rows of the access log, as `rowsAfter`, with the contacts in a tried ID masked. Continues with the next month
 * once that of the position has ended and has no more rows.
 */
async function accessRowsAfter(db: Kysely<Database>, last: LogPosition): Promise<ExportedRow[]> {
  const of = async (month: string, position: string) =>
    db
      .selectFrom('accessLog as l')
      .select([timeText.as('at'), 'l.month', 'l.position', 'l.act', 'l.call', 'l.actorId', 'l.actor'])
      .select(['l.address', 'l.requestId', 'l.result', 'l.detail', 'l.subjects', 'l.named', 'l.hash'])
      .where('l.month', '=', month)
      .where('l.position', '>', position)
      .orderBy('l.position')
      .limit(ROWS_IN_BATCH)
      .execute()
  const month = last.month ?? ''
  let rows = await of(month, last.position)
  if (rows.length === 0 && hasMonthEnded(month, Date.now())) {
    // Until then a server may still add to the old month.
    const next = await db
      .selectFrom('accessLogHeads')
      .select('month')
      .where('month', '>', month)
      .where('position', '>', '0')
      .orderBy('month')
      .executeTakeFirst()
    if (next) rows = await of(next.month, '0')
  }
  return rows.map(({ at, actorId, actor, subjects, named, detail, hash, ...row }) => {
    const { month: ofMonth, position, act, call, address, requestId, result } = row
    const fields = {
      month: ofMonth.slice(0, 7),
      act,
      call,
      // An ID that is no account's may be any text that a visitor typed.
      actor: { id: actorId, loginId: actorId === null ? maskContacts('', actor) : actor },
      address,
      requestId,
      result,
      filters: detail === '' ? [] : detail.split(','),
      subjectCount: subjects.length + named.length,
      subjects,
      unknownSubjects: maskContacts('', named),
      hash: hash.toString('hex'),
    }
    return { log: 'access', month: ofMonth, position, number: position, at, fields }
  })
}

/** Pattern of an email in a text. */
const EMAIL = /(?<![^\s@"'<>,;:()])[^\s@"'<>,;:()]+@[^\s@"'<>,;:()]+/g
/** Pattern of a Korean phone number in a text, also with a country code, hyphens, dots or spaces. */
const PHONE = /(?<!\d)(?:\+82[-. ]?0?|0)\d{1,2}[-. ]?\d{3,4}[-. ]?\d{4}(?!\d)/g
/** Pattern of a URL in a text. */
const URLS = /https?:\/\/\S+/g
/** Characters that JSON does not escape and that end a line for some readers, or do not print. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029]/g

/** Returns a URL with its query masked. The query may be a secret, such as the signature in the URL of a webhook. */
function withoutQuery(url: string): string {
  const [start = ''] = url.split(/[?#]/, 1)
  return start === url ? url : `${start}?***`
}

/**
 * Returns a value with phone numbers, emails and queries of URLs masked, wherever they are in it
 * (rules/events#exported-rows).
 * @param name field that has the value
 */
export function maskContacts(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => maskContacts(name, entry))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        // A change has the values before and after under the name of the field.
        maskContacts(key === 'before' || key === 'after' ? name : key, inner),
      ]),
    )
  if (typeof value !== 'string' || value === '') return value
  if (name === 'phoneNumber') return maskedPhone(value)
  return value
    .replaceAll(URLS, withoutQuery)
    .replaceAll(EMAIL, maskedEmail)
    .replaceAll(PHONE, (phone) => maskedPhone(phone.replaceAll(/[-. ]/g, '')))
}

/**
 * Returns a row of a log as JSON on one line, with the log, number, time and fields.
 * @param omitted names of fields to leave out; the JSON has these names in `omitted`
 */
export function jsonOf({ log, number, at, fields }: ExportedRow, omitted: readonly string[] = []): string {
  const kept = Object.entries(fields).filter(([name]) => !omitted.includes(name))
  const row = { log, number: Number(number), at, ...Object.fromEntries(kept) }
  return JSON.stringify({ ...row, ...(omitted.length > 0 && { omitted }) }).replaceAll(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
