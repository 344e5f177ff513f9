import { type RawBuilder, sql } from 'kysely'
import { TOKEN_ENDS_SOON_DAYS } from '../../../contract/keys.ts'
import { timeText } from '../../db/sql.ts'

/** The end of a token that is made now (rules/keys#token-end). */
export const endAfter = (days: number): RawBuilder<Date> => sql<Date>`now() + make_interval(days => ${days})`

/** Until when the token is good that is rolled over now: never longer than it was (rules/keys#token-rollover). */
export const previousUntil = (days: number): RawBuilder<Date> | null =>
  days === 0 ? null : sql<Date>`least(now() + make_interval(days => ${days}), expires_at)`

/**
 * What a token is to whoever looks at the list (rules/keys#token-end).
 * @param end of a row that is over before its end: when, and how that is called
 */
export const stateOf = <Ended extends string>(end: { column: string; state: RawBuilder<Ended> }) =>
  sql<Ended | 'expired' | 'soon' | 'live'>`case
    when ${sql.ref(end.column)} is not null then ${end.state}
    when expires_at <= now() then 'expired'
    when expires_at <= now() + make_interval(days => ${TOKEN_ENDS_SOON_DAYS}) then 'soon'
    else 'live' end`

/** Until when the token before is good too, '' when it is not. @param end the column that says when the row ended */
export const previousText = (end: string): RawBuilder<string> =>
  sql<string>`case when ${sql.ref(end)} is null and coalesce(expires_at > now(), true) and previous_until > now()
    then ${timeText('previous_until')} else '' end`
