import { hashToken } from '../../callers/bearer-tokens.ts'
import { type RawBuilder, sql, type Kysely } from 'kysely'
import { TOKEN_ENDS_SOON_DAYS, TOKEN_END_TOLD_DAYS } from '../../../contract/keys.ts'
import { mayLogIn, PROGRAM, timeText, wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** Returns the SQL expression for the expiry of a token that is created now (rules/keys#token-end). */
export const endAfter = (days: number): RawBuilder<Date> => sql<Date>`now() + make_interval(days => ${days})`

/**
 * Returns the columns of a token that is rotated now (rules/keys#token-rollover). The previous token stays valid for
 * the overlap, at most until its own expiry. `toldAt` restarts the notifications about the expiry.
 */
export const rotationOf = (
  token: string,
  { validDays, overlapDays }: Record<'validDays' | 'overlapDays', number>,
) => ({
  tokenHash: hashToken(token),
  previousHash: overlapDays === 0 ? null : sql<Buffer>`token_hash`,
  previousUntil:
    overlapDays === 0 ? null : sql<Date>`least(now() + make_interval(days => ${overlapDays}), expires_at)`,
  expiresAt: endAfter(validDays),
  toldAt: sql<Date>`now()`,
})

/** Returns the SQL condition that an expiry is within the next TOKEN_ENDS_SOON_DAYS, in which lists mark it. */
export const endsSoon = (end: RawBuilder<unknown>) =>
  sql<boolean>`${end} <= now() + make_interval(days => ${TOKEN_ENDS_SOON_DAYS})`

/**
 * Returns the SQL expression for the state of a token as the list shows it: `live`, `soon` (expires soon), `expired`,
 * or the given state of an ended one (rules/keys#token-end).
 * @param end column with the time when the token was revoked or ended, and the state that it has then
 */
export const stateOf = <Ended extends string>(end: { column: string; state: RawBuilder<Ended> }) =>
  sql<Ended | 'expired' | 'soon' | 'live'>`case
    when ${sql.ref(end.column)} is not null then ${end.state}
    when expires_at <= now() then 'expired'
    when ${endsSoon(sql`expires_at`)} then 'soon'
    else 'live' end`

/**
 * Returns the SQL expression for the time until which the previous token also is valid after a rotation; '' if it is
 * not.
 * @param end column with the time when the token was revoked
 */
export const previousText = (end: string): RawBuilder<string> =>
  sql<string>`case when ${sql.ref(end)} is null and coalesce(expires_at > now(), true) and previous_until > now()
    then ${timeText('previousUntil')} else '' end`

/** SQL expression for the expiry of a token `t`. */
const expiresAt = sql<Date>`t.expires_at`

/** SQL expression for the expiry of a token of a program account `u`, which is not later than that of the account. */
const accountEnd = sql<Date>`least(t.expires_at, (u.valid_to + 1)::timestamp at time zone 'Asia/Seoul')`

/**
 * Returns the SQL condition that a notification about an expiry is due: it is in the future, one of the days of
 * TOKEN_END_TOLD_DAYS before it has begun, and none was sent since then.
 */
const isDue = (end: RawBuilder<Date>) => sql<boolean>`${end} > now() and exists (
  select from unnest(${[...TOKEN_END_TOLD_DAYS]}::int[]) as days
  where t.told_at < ${end} - make_interval(days => days) and ${end} <= now() + make_interval(days => days))`

/** SQL condition that the user `m` may log in and manage services and program accounts. */
const manages = sql<boolean>`${mayLogIn('m')} and m.role_code in
  (select role_code from role_functions where function_name = 'autho_service_manage')`

/**
 * Notifies in the portal that a token expires soon: the owner of a program token, and the managers of services and
 * program accounts about the tokens of these (rules/keys#token-end-told). Several servers may run it concurrently: one
 * statement marks a token and writes its notification, so that the later server sees the mark.
 */
export async function notifyExpiringTokens(db: Kysely<Database>): Promise<void> {
  await sql`
    with due as (
      update program_tokens t set told_at = now() from users u
      where u.id = t.user_id and ${mayLogIn('u')} and t.ended_at is null and ${isDue(expiresAt)}
      returning t.user_id, jsonb_build_object('programName', t.name, 'expiresAt', ${wireTime(expiresAt)}) as detail
    )
    insert into notifications (kind, user_id, detail) select 'PROGRAM_ENDING', user_id, detail from due`.execute(
    db,
  )
  await sql`
    with due as (
      update program_tokens t set told_at = now() from users u
      where u.id = t.user_id and u.approval_code = ${PROGRAM} and may_call(u) and t.ended_at is null and ${isDue(accountEnd)}
      returning jsonb_build_object('programName', u.name, 'name', t.name, 'expiresAt', ${wireTime(accountEnd)}) as detail
    )
    insert into notifications (kind, user_id, detail)
      select 'PROGRAM_ACCOUNT_ENDING', m.id, due.detail from due cross join users m where ${manages}`.execute(
    db,
  )
  await sql`
    with due as (
      update service_tokens t set told_at = now() where t.revoked_at is null and ${isDue(expiresAt)}
      returning jsonb_build_object('serviceName', t.name, 'expiresAt', ${wireTime(expiresAt)}) as detail
    )
    insert into notifications (kind, user_id, detail)
      select 'SERVICE_ENDING', m.id, due.detail from due cross join users m where ${manages}`.execute(db)
}

/**
 * Deletes program and service tokens that expired or were revoked more than `days` days ago (rules/retention#kinds).
 * @param most maximum number of one call
 * @returns the number of deleted tokens
 */
export async function eraseEndedTokens(tx: Kysely<Database>, days: number, most: number): Promise<number> {
  const remove = async (table: 'programTokens' | 'serviceTokens', over: string, limit: number) => {
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where id = any(array(
      select id from ${sql.table(table)} where least(${sql.ref(over)}, expires_at) < now() - make_interval(days => ${days})
      order by id limit ${limit} for update skip locked))`.execute(tx)
    return Number(numAffectedRows)
  }
  const programs = await remove('programTokens', 'ended_at', most)
  return programs + (await remove('serviceTokens', 'revoked_at', most - programs))
}
