import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import { refuse } from '../../../contract/errors.ts'
import { prepared } from '../../db/prepared.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** Five wrong passwords in a row lock the ID for 15 minutes (rules/account#login-lock). */
const MAX_FAILURES = 5
const LOCK_SECONDS = 15 * 60

/**
 * Takes a try before the password is looked at, so that parallel guesses cannot outrun the count.
 * Counted by the ID as typed, known or not: a lock must not tell which IDs exist.
 * @returns how many tries in a row this one makes
 * @throws {Refusal} LOGIN_LOCKED while the ID is locked
 */
async function takeTry(db: Kysely<Database>, loginId: string): Promise<number> {
  const lockOver = sql`login_failures.last_failed_at < now() - make_interval(secs => ${LOCK_SECONDS})`
  const query = sql<{ failures: number; wait: number }>`
    insert into login_failures (login_id, failures) values (${loginId}, 1)
    on conflict (login_id) do update set
      failures = case
        when login_failures.failures >= ${MAX_FAILURES} and ${lockOver} then 1
        else login_failures.failures + 1 end,
      -- A try during the lock does not make it longer.
      last_failed_at = case
        when login_failures.failures >= ${MAX_FAILURES} and not ${lockOver} then login_failures.last_failed_at
        else now() end
    returning failures, ceil(extract(epoch from last_failed_at - now()) + ${LOCK_SECONDS})::int as wait
  `
  const { rows } = await db.executeQuery(prepared({ compile: () => query.compile(db) }))
  const { failures = 1, wait = LOCK_SECONDS } = rows[0] ?? {}
  if (failures > MAX_FAILURES) refuse('LOGIN_LOCKED', { retryAfterSeconds: Math.max(1, wait) })
  return failures
}

async function giveBack(db: Kysely<Database>, loginId: string): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ failures: sql`greatest(failures - 1, 0)` })
    .where('login_id', '=', loginId)
    .execute()
}

/**
 * Checks a password under the lock's rule: the fifth wrong one in a row locks. A right one is to be followed by
 * `forgetTries`.
 * @param loginId the ID as typed, in lower case
 * @param isRight does the costly comparison
 * @returns whether the password was right
 * @throws {Refusal} LOGIN_LOCKED (429, Retry-After) when the ID is locked or becomes so
 */
export async function tryPassword(
  db: Kysely<Database>,
  loginId: string,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  const failures = await takeTry(db, loginId)
  const right = await isRight().catch(async (error: unknown) => {
    // Nobody looked at the password, so it was not a wrong one.
    await giveBack(db, loginId)
    throw error
  })
  if (!right && failures >= MAX_FAILURES) refuse('LOGIN_LOCKED', { retryAfterSeconds: LOCK_SECONDS })
  return right
}

/** Clears the count after a right password. */
export async function forgetTries(db: Kysely<Database>, loginId: string): Promise<void> {
  await db.deleteFrom('login_failures').where('login_id', '=', loginId).execute()
}

const IS_LOCKED = sql<boolean>`failures >= ${sql.lit(MAX_FAILURES)}
  and last_failed_at > now() - make_interval(secs => ${sql.lit(LOCK_SECONDS)})`

/** Until when wrong passwords lock an ID, as a column of a query: '' when they do not. */
export const lockedUntil = (loginId: string) =>
  sql<string>`coalesce((
    select ${wireTime(sql<Date>`(last_failed_at + make_interval(secs => ${sql.lit(LOCK_SECONDS)}))`)}
    from login_failures where login_id = ${sql.ref(loginId)} and ${IS_LOCKED}
  ), '')`

/**
 * Takes the lock of wrong passwords away.
 * @returns whether there was one
 */
export async function endLock(tx: Transaction<Database>, loginId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('login_failures')
    .where('login_id', '=', loginId)
    .where(IS_LOCKED)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes the wrong passwords that were given up long ago. */
export async function removeOldTries(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from login_failures where last_failed_at < now() - interval '30 days'`)
}
