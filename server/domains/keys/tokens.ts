import { type RawBuilder, sql } from 'kysely'
import { TOKEN_ENDS_SOON_DAYS } from '../../../contract/keys.ts'
import { timeText } from '../../db/sql.ts'

/** Returns the expiry of a token that is created now (rules/keys#token-end). */
export const endAfter = (days: number): RawBuilder<Date> => sql<Date>`now() + make_interval(days => ${days})`

/** Returns the time until which a token stays valid when it is rotated now: at most its own expiry (rules/keys#token-rollover). */
export const previousUntil = (days: number): RawBuilder<Date> | null =>
  days === 0 ? null : sql<Date>`least(now() + make_interval(days => ${days}), expires_at)`

/**
 * Returns the state of a token as the list shows it (rules/keys#token-end).
 * @param end column with the time when the token ended before its expiry, and the state that it has then
 */
export const stateOf = <Ended extends string>(end: { column: string; state: RawBuilder<Ended> }) =>
  sql<Ended | 'expired' | 'soon' | 'live'>`case
    when ${sql.ref(end.column)} is not null then ${end.state}
    when expires_at <= now() then 'expired'
    when expires_at <= now() + make_interval(days => ${TOKEN_ENDS_SOON_DAYS}) then 'soon'
    else 'live' end`

/**
 * Returns the time until which the previous token is valid, too; '' if it is not.
 * @param end column with the time when the row ended
 */
export const previousText = (end: string): RawBuilder<string> =>
  sql<string>`case when ${sql.ref(end)} is null and coalesce(expires_at > now(), true) and previous_until > now()
    then ${timeText('previous_until')} else '' end`
