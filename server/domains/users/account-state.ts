import { type RawBuilder, sql } from 'kysely'
import { DISUSE } from '../../../contract/users.ts'
import { orEmpty, timeText, today } from '../../db/sql.ts'
import { NO_END } from './last-admin.ts'

/** The end that one click gives: a year later, or a year from today when it has passed, and never past the last date. */
export const extended: RawBuilder<string> = sql`
  least(greatest(u.valid_to, ${today}) + interval '1 year', date '${sql.raw(NO_END)}')::date::text`

/** The fields of `accountState` in the contract, as columns of the users row `u`. */
export const accountStateOf = () =>
  [
    sql<boolean>`u.suspended_at is not null`.as('suspended'),
    timeText('u.suspended_at').as('suspendedAt'),
    sql<string>`case when u.suspended_at is not null then coalesce(u.suspended_for, ${sql.lit(DISUSE)}) else '' end`.as(
      'suspendedFor',
    ),
    orEmpty('u.suspended_reason').as('suspendedReason'),
    sql<string>`coalesce(login_refusal(u), '')`.as('loginRefusal'),
    timeText('u.last_login_at').as('lastLoginAt'),
    sql<string>`case when u.valid_to < date '${sql.raw(NO_END)}' then ${extended} else '' end`.as(
      'extendedTo',
    ),
  ] as const
