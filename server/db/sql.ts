import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Actor, can } from '../../contract/permissions.ts'
import { APPROVAL } from '../../contract/users.ts'

const TODAY = `(now() at time zone 'Asia/Seoul')::date`

/** Today in Asia/Seoul, whatever the time zone of server and database. */
export const today = sql.raw<string>(TODAY)

/** A moment as the wire shows it: 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (rules/wire#times). */
export function wireTime(column: Expression<Date>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI:SS')`
}

/** `NOT_YET_VALID` of the users row with this prefix ('u.'), where another table in sight has the same columns. */
export function notYetValid(u: string): string {
  return `coalesce(${u}valid_from > ${TODAY}, false)`
}

/** `EXPIRED` of the users row with this prefix. */
export function expired(u: string): string {
  return `coalesce(${u}valid_to < ${TODAY}, false)`
}

/** A moment of the wire, 'YYYY-MM-DD HH:mm' in Asia/Seoul, as the database keeps it. */
export function fromWireTime(text: string): RawBuilder<Date> {
  return sql<Date>`(${text}::timestamp at time zone 'Asia/Seoul')`
}

/** Whether today is before an account's validity; the first day counts. Of the users row that is in sight. */
export const NOT_YET_VALID = notYetValid('')

/** Whether an account's validity is over; the last day counts. Of the users row that is in sight. */
export const EXPIRED = expired('')

/** Whether an account may log in today (rules/users#validity). Of the users row that is in sight. */
export const MAY_LOG_IN = `(withdrawn_at is null and approval_code = '${APPROVAL.approved}'
  and suspended_at is null and not ${NOT_YET_VALID} and not ${EXPIRED})`

/**
 * Whether somebody may see a notice: one that is published, and before its time its author and those who manage
 * notices. The one place that says so: lists, counts, detail, neighbours, home and downloads ask it.
 * @param n the notices row that is asked about, by its alias
 */
export function maySeeNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`(${sql.ref(`${n}.published_at`)} <= now() or ${sql.ref(`${n}.author_id`)} = ${actor.id})`
}

/**
 * Whether somebody may edit, delete or attach to a notice: its author or `autho_notice_manage`
 * (rules/notices#who-edits-notices).
 */
export function mayEditNotice(actor: Actor & { id: string }, n = 'notices'): RawBuilder<boolean> {
  if (can(actor, 'autho_notice_manage')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(`${n}.author_id`)} = ${actor.id}`
}
