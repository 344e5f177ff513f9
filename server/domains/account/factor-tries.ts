import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { hashToken } from '../../callers/bearer-tokens.ts'
import { clearableAttempts } from './login-attempts.ts'

/**
 * Limits of wrong second factors per user and day: `most` with one password, `mostInAll` with all passwords
 * (rules/account#second-factor).
 */
export const FACTORS_A_DAY = { most: 30, mostInAll: 60, seconds: 24 * 3600 } as const

/**
 * Prefix of the keys of second factors in `login_failures`. Its first character cannot be part of an entered ID, so a
 * login attempt cannot lock a second factor.
 */
const PREFIX = '\u0001second-factor '

/**
 * Returns the key under which wrong second factors lock this step for 15 minutes, as wrong passwords lock an ID. It contains a hash of the
 * right password: only a client with the password can lock this step, and a new password starts a new count.
 */
export const factorKey = (userId: string, passwordHash: string) =>
  `${PREFIX}${userId} ${hashToken(passwordHash).toString('hex')}`

/**
 * Returns the SHA-256 of a user's current password hash, as the columns `password_mark` store it.
 * @param users alias of the users row
 */
export const markOf = (users: string) =>
  sql<Buffer>`sha256(convert_to(${sql.ref(`${users}.passwordHash`)}, 'UTF8'))`

/**
 * Returns the `factorKey` of a user, as a column of a query.
 * @param users alias of the users row
 */
export const factorKeyOf = (users: string) =>
  sql<string>`concat(${PREFIX}::text, ${sql.ref(`${users}.id`)}, ' ', encode(${markOf(users)}, 'hex'))`

/**
 * Counts an attempt at a second factor against FACTORS_A_DAY before it is checked, so that parallel attempts on several
 * servers cannot exceed the limits. Refuses nothing itself.
 * @returns seconds until the next attempt may be checked; 0 if this one may
 */
export async function countFactorAttempt(db: Db, userId: string, passwordHash: string): Promise<number> {
  const { most, mostInAll, seconds } = FACTORS_A_DAY
  const isOver = sql`f.password_mark <> excluded.password_mark or f.since < now() - make_interval(secs => ${seconds})`
  const failures = sql`case when ${isOver} then 1 else least(f.failures, ${most}) + 1 end`
  const isAllOver = sql`f.all_since < now() - make_interval(secs => ${seconds})`
  // Attempts that the first limit refuses are not checked, and must not use up the second limit.
  const { rows } = await sql<{ wait: number }>`
    insert into factor_failures as f (user_id, password_mark, failures, all_failures)
      values (${userId}, ${hashToken(passwordHash)}, 1, 1)
    on conflict (user_id) do update set
      failures = ${failures},
      since = case when ${isOver} then now() else f.since end,
      password_mark = excluded.password_mark,
      all_failures = case when ${isAllOver} then 0 else least(f.all_failures, ${mostInAll}) end
        + case when ${failures} > ${most} then 0 else 1 end,
      all_since = case when ${isAllOver} then now() else f.all_since end
    returning greatest(
      case when failures > ${most} then ceil(extract(epoch from since - now()) + ${seconds})::int else 0 end,
      case when all_failures > ${mostInAll} then ceil(extract(epoch from all_since - now()) + ${seconds})::int else 0 end) as wait`.execute(
    db,
  )
  return rows[0]?.wait ?? 0
}

/**
 * Takes back the count of an attempt that was right, clears the count of all passwords, and ends the lock of 15
 * minutes. The wrong attempts with the current password stay counted.
 * @param key the `factorKey`
 * @param knownFrom network of the login, if the user has logged in from it before; undefined for an unknown network
 */
export async function clearFactorAttempts(
  tx: Tx,
  userId: string,
  key: string,
  knownFrom: string | undefined,
): Promise<void> {
  await tx
    .with('unlocked', (db) => db.deleteFrom('loginFailures').where(clearableAttempts(key, knownFrom)))
    .updateTable('factorFailures')
    .set({ failures: sql`greatest(failures - 1, 0)`, allFailures: 0 })
    .where('userId', '=', userId)
    .execute()
}

/** Clears the counts of wrong second factors of a user and their locks, because the factors were removed. */
export async function forgetFactorTries(tx: Tx, userId: string): Promise<void> {
  await tx
    .with('unlocked', (db) =>
      db
        .deleteFrom('loginFailures')
        .where('loginId', '=', (eb) =>
          eb.selectFrom('users as u').select(factorKeyOf('u').as('key')).where('u.id', '=', userId),
        ),
    )
    .deleteFrom('factorFailures')
    .where('userId', '=', userId)
    .execute()
}
