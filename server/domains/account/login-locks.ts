import { sql } from 'kysely'
import type pg from 'pg'
import { accountMails } from '../../../contract/messages/mails-accounts.ts'
import { wireTime } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Call } from '../../http/handler.ts'
import { BY_PORTAL, queueMail } from '../../services/mail.ts'
import { FACTORS_A_DAY, factorKeyOf, markOf } from './factor-tries.ts'
import { LOGIN_LOCK } from '../../../contract/account/session.ts'
import { IS_LOCKED, MAX_WRONG_IN_A_ROW } from './login-attempts.ts'

/**
 * SQL expression for the time until which wrong passwords or second factors lock the account `u`; '' if they do not.
 */
export const lockedUntil = sql<string>`coalesce(${wireTime(sql<Date>`greatest(
  (select max(last_failed_at) + make_interval(secs => ${sql.lit(LOGIN_LOCK.seconds)}) from login_failures
    where login_id in (u.login_id, ${factorKeyOf('u')}) and ${IS_LOCKED}),
  (select max(d.since) + make_interval(secs => ${sql.lit(FACTORS_A_DAY.seconds)}) from factor_failures f, lateral (
      select f.since where f.password_mark = ${markOf('u')} and f.failures >= ${sql.lit(FACTORS_A_DAY.most)}
      union all select f.all_since where f.all_failures >= ${sql.lit(FACTORS_A_DAY.mostInAll)}) as d (since)
    where f.user_id = u.id and d.since > now() - make_interval(secs => ${sql.lit(FACTORS_A_DAY.seconds)})))`)}, '')`

/** SQL expression that is true if too many wrong passwords in a row have disabled the password of the account `u`. */
export const isPasswordDisabled = sql<boolean>`coalesce((
  select greatest(sum(total) filter (where network <> ''), max(total) filter (where network = '')) >= ${sql.lit(MAX_WRONG_IN_A_ROW)}
  from login_failures f where f.login_id = u.login_id), false)`

/**
 * Removes the locks of an account by wrong passwords and second factors, and enables a disabled password. Counts that
 * lock nothing stay.
 * @returns whether there was a lock or a disabled password
 */
export async function endLock(tx: Tx, loginId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    with before as (
      select u.id, u.login_id, ${factorKeyOf('u')} as factor_key, ${lockedUntil} <> '' or ${isPasswordDisabled} as locked
      from users u where u.login_id = ${loginId}
    ), gone as (
      delete from login_failures f using before b where b.locked and f.login_id in (b.login_id, b.factor_key)
    ), gone_too as (
      delete from factor_failures f using before b where b.locked and f.user_id = b.id
    )
    select locked from before`.execute(tx)
  return rows[0]?.locked === true
}

/**
 * Deletes counts of attempts after 30 days without one. Counts that have locked an ID stay for a year, and those that have disabled a
 * password stay, whether or not the ID exists: waiting must give no new guesses and reveal no IDs.
 */
export async function deleteOldAttempts(pool: pg.Pool): Promise<void> {
  await pool.query(
    `delete from login_failures where last_failed_at < now() - interval '30 days' and (total < $1
      or (total < $2 and last_failed_at < now() - interval '1 year'))`,
    [LOGIN_LOCK.failures, MAX_WRONG_IN_A_ROW],
  )
}

/**
 * Mails the owner of an ID that its password is disabled, and wakes the mail job. An unknown ID takes the same work,
 * but no mail is sent (rules/account#account-enumeration).
 */
export async function mailPasswordDisabled(
  { db, services, language }: Pick<Call, 'db' | 'services' | 'language'>,
  loginId: string,
): Promise<void> {
  const owner = await db
    .selectFrom('users')
    .select(['email', 'language'])
    .where('loginId', '=', loginId)
    .where('withdrawnAt', 'is', null)
    .executeTakeFirst()
  const ofOwner = owner?.language ?? language
  await queueMail(db, {
    to: owner?.email ?? null,
    language: ofOwner,
    text: accountMails[ofOwner].passwordDisabled(services.settings.now().company, loginId),
    link: services.settings.link('/reset/pw'),
    requester: BY_PORTAL,
  })
  services.mail.wake()
}

/** Moves the counts of wrong passwords of an account to its new ID. They replace the counts of strangers who tried the new ID before. */
export async function moveLoginFailures(tx: Tx, before: string, after: string): Promise<void> {
  await tx.deleteFrom('loginFailures').where('loginId', '=', after).execute()
  await tx.updateTable('loginFailures').set({ loginId: after }).where('loginId', '=', before).execute()
}
