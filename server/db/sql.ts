import { type Expression, type RawBuilder, sql } from 'kysely'
import { APPROVAL } from '../../contract/users.ts'

const TODAY = `(now() at time zone 'Asia/Seoul')::date`

/** Today in Asia/Seoul, whatever the time zone of server and database. */
export const today = sql.raw<string>(TODAY)

/** A moment as the wire shows it: 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (decisions §2). */
export function wireTime(column: Expression<Date>): RawBuilder<string> {
  return sql<string>`to_char(${column} at time zone 'Asia/Seoul', 'YYYY-MM-DD HH24:MI:SS')`
}

/** Whether today is before an account's validity; the first day counts. Of the users row that is in sight. */
export const NOT_YET_VALID = `coalesce(valid_from > ${TODAY}, false)`

/** Whether an account's validity is over; the last day counts. Of the users row that is in sight. */
export const EXPIRED = `coalesce(valid_to < ${TODAY}, false)`

/** Whether an account may log in today (decisions §4). Of the users row that is in sight. */
export const MAY_LOG_IN = `(withdrawn_at is null and approval_code = '${APPROVAL.approved}'
  and suspended_at is null and not ${NOT_YET_VALID} and not ${EXPIRED})`
