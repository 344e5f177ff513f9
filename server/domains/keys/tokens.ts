import { type RawBuilder, sql } from 'kysely'

/** The end of a token that is made now (rules/keys#token-end). */
export const endAfter = (days: number): RawBuilder<Date> => sql<Date>`now() + make_interval(days => ${days})`

/** Until when the token is good that is rolled over now: never longer than it was (rules/keys#token-rollover). */
export const previousUntil = (days: number): RawBuilder<Date> | null =>
  days === 0 ? null : sql<Date>`least(now() + make_interval(days => ${days}), expires_at)`
