import { type RawBuilder, sql } from 'kysely'
import { LINK } from '../../../contract/account.ts'
import { DISUSE } from '../../../contract/users.ts'
import { orEmpty, timeText, today, wireTime } from '../../db/sql.ts'
import { isGoodLink, isPasswordDisabled, lockedUntil } from '../account/index.ts'
import { NO_END } from './access/last-admin.ts'

/** The end date that one click sets: a year after the present one, or a year from today if that has passed, and at most the last date. */
export const extended: RawBuilder<string> = sql`
  least(greatest(u.valid_to, ${today}) + interval '1 year', date '${sql.raw(NO_END)}')::date::text`

/** Returns the fields of `accountState` in the contract, as columns of the users row `u`. */
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

/** Condition that the account `u` was never approved and has no open decision (rules/users#removal). */
export const isRemovable = sql<boolean>`(not u.was_approved
  and not exists (select from approval_requests r where r.user_id = u.id and r.state <> 'refused')
  and not exists (select from issued_keys k where k.user_id = u.id)
  and not exists (select from notices n where n.author_id = u.id))`

/** Returns the fields of `helpState` in the contract, as columns of the users row `u`. */
export const helpStateOf = () =>
  [
    lockedUntil.as('lockedUntil'),
    isPasswordDisabled.as('passwordDisabled'),
    'u.password_temporary as temporaryPassword',
    timeText('u.temporary_until').as('temporaryUntil'),
    sql<boolean>`exists (select from account_links l where l.user_id = u.id and l.kind = ${sql.lit(LINK.invitation)})`.as(
      'invited',
    ),
    sql<string>`coalesce((select ${wireTime(sql.ref('l.expires_at'))} from account_links l where l.user_id = u.id
      and l.kind = ${sql.lit(LINK.invitation)}), '')`.as('invitationEnds'),
    sql<string>`coalesce((select l.email from account_links l where l.user_id = u.id
      and l.kind = ${sql.lit(LINK.email)} and ${isGoodLink}), '')`.as('pendingEmail'),
    isRemovable.as('removable'),
  ] as const
