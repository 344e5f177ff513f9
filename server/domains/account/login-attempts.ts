import { sql } from 'kysely'
import { LOGIN_LOCK } from '../../../contract/account/session.ts'
import { refuse } from '../../../contract/errors.ts'
import { prepareQuery } from '../../db/prepared-statements.ts'
import type { Db } from '../../db/database.ts'

/** Number of wrong passwords in a row that lock an ID, and the seconds of the lock. */
const { failures: MAX_FAILURES, seconds: LOCK_SECONDS } = LOGIN_LOCK
/** Value of `network` in the row that counts the attempts from all networks. */
const EVERYWHERE = ''

/** SQL condition that a row of `login_failures` locks its ID. */
export const IS_LOCKED = sql<boolean>`failures >= ${sql.lit(MAX_FAILURES)}
  and last_failed_at > now() - make_interval(secs => ${sql.lit(LOCK_SECONDS)})`

/**
 * Most wrong passwords and codes in a row, after which the password is disabled (rules/account#disabled-password). NIST
 * SP 800-63B-4 allows 100 in all. Strangers have half of them, known networks the other half, and parallel attempts may
 * add five to each.
 */
export const MAX_WRONG_IN_A_ROW = 45

/** Options of an attempt to enter a password. */
export interface AttemptOptions {
  /** The client's network, if the owner of the ID has logged in from it before. Attempts from other networks do not lock the ID there. */
  knownFrom?: string | undefined
  /** Runs instead of the comparison if the attempt is refused, and takes as long, so that the time reveals no lock. */
  simulateAttempt?: () => Promise<unknown>
  /** Runs after a right password, before the next attempt for the ID. Must clear the counts (`clearableAttempts`) or refund the attempt. */
  onRight?: () => Promise<void>
  /**
   * Runs after a wrong attempt was compared and counted. `isLocked`: unknown networks were locked already. `isLastOfAll`: this
   * attempt disabled the password for them.
   */
  onWrong?: (wrong: { isLocked: boolean; isLastOfAll: boolean }) => Promise<void>
}

/** State of an ID after an attempt was counted. */
interface CountedAttempt {
  /** True if the ID is locked, or its password disabled, for this network. The password must not be compared. */
  isRefused: boolean
  /** True if the ID is locked for all unknown networks. */
  isLocked: boolean
  /** True if the password is disabled for this network or for all unknown networks. */
  isDisabled: boolean
  /** True if a wrong password now locks the ID. */
  isLast: boolean
  /** Seconds until the lock ends, at least 1. Has no meaning without a lock. */
  wait: number
}

/** Returns whether this number of wrong passwords disables the password. */
const isSpent = (tries: number | undefined) => (tries ?? 0) >= MAX_WRONG_IN_A_ROW

/**
 * Counts an attempt before the password is compared, so that concurrent guesses on several servers cannot exceed the
 * limit. Counts for all networks together, and for the known network if there is one. Counts IDs that do not exist,
 * too: a lock must not reveal which IDs exist. Refuses nothing.
 */
async function countAttempt(db: Db, loginId: string, knownFrom: string | undefined): Promise<CountedAttempt> {
  const lockOver = sql`login_failures.last_failed_at < now() - make_interval(secs => ${LOCK_SECONDS})`
  const networks = networksOf(knownFrom)
  const query = sql<{ network: string; failures: number; wait: number; total: number; known: number }>`
    insert into login_failures (login_id, network, failures)
      select ${loginId}, network, 1 from unnest(${networks}::text[]) as network
    on conflict (login_id, network) do update set
      failures = case
        when login_failures.failures >= ${MAX_FAILURES} and ${lockOver} then 1
        else login_failures.failures + 1 end,
      -- A try during the lock does not make it longer.
      last_failed_at = case
        when login_failures.failures >= ${MAX_FAILURES} and not ${lockOver} then login_failures.last_failed_at
        else now() end
    returning network, failures, ceil(extract(epoch from last_failed_at - now()) + ${LOCK_SECONDS})::int as wait, total,
      (select coalesce(sum(f.total), 0)::int from login_failures f
        where f.login_id = ${loginId} and f.network <> ${EVERYWHERE}) as known
  `
  const { rows } = await db.executeQuery(prepareQuery({ compile: () => query.compile(db) }))
  const counted = (from: string) => rows.find(({ network }) => network === from)
  const all = counted(EVERYWHERE)
  const here = counted(knownFrom ?? EVERYWHERE)
  const isDisabledHere = isSpent(knownFrom === undefined ? all?.total : here?.known)
  const isLocked = (all?.failures ?? 0) > MAX_FAILURES
  const isLockedHere = (here?.failures ?? 0) > MAX_FAILURES
  const lock = isLockedHere ? here : all
  return {
    isRefused: isLockedHere || isDisabledHere,
    isLocked,
    isDisabled: isDisabledHere || isSpent(all?.total),
    isLast: [all, here].some((row) => row?.failures === MAX_FAILURES),
    wait: Math.max(1, lock?.wait ?? LOCK_SECONDS),
  }
}

/**
 * Counts a wrong password for all networks and for the known one. While the ID is locked, an attempt from a known
 * network counts only for that network: from an unknown one it would be refused and not counted, and the common count
 * must not reveal the difference.
 * @returns true if it was the last attempt of all unknown networks
 */
async function countWrong(
  db: Db,
  loginId: string,
  knownFrom: string | undefined,
  isLocked: boolean,
): Promise<boolean> {
  const networks = isLocked && knownFrom !== undefined ? [knownFrom] : networksOf(knownFrom)
  // An insert, because a right password may just have deleted the rows. It locks them in the order of `countAttempt`.
  const query = sql<{ network: string; total: number }>`
    insert into login_failures (login_id, network, failures, total)
      select ${loginId}, network, 1, 1 from unnest(${networks}::text[]) as network
    on conflict (login_id, network) do update set total = login_failures.total + 1
    returning network, total`
  const { rows } = await db.executeQuery(prepareQuery({ compile: () => query.compile(db) }))
  return rows.some(({ network, total }) => network === EVERYWHERE && total === MAX_WRONG_IN_A_ROW)
}

/**
 * Counts a wrong second factor as a wrong password of the ID, whether the ID is locked or not.
 * @returns whether it disabled the password
 */
export async function countWrongFactor(
  db: Db,
  loginId: string,
  knownFrom: string | undefined,
): Promise<boolean> {
  const { isLocked } = await countAttempt(db, loginId, knownFrom)
  return countWrong(db, loginId, knownFrom, isLocked)
}

/**
 * Takes back the count of an attempt that was not a wrong password. Earlier attempts stay counted.
 * @param knownFrom known network of the attempt, which has a count of its own; undefined for an unknown network
 */
export async function refundAttempt(db: Db, loginId: string, knownFrom: string | undefined): Promise<void> {
  await db
    .updateTable('loginFailures')
    .set({ failures: sql`greatest(failures - 1, 0)` })
    .where('loginId', '=', loginId)
    .where('network', 'in', networksOf(knownFrom))
    .execute()
}

/** Returns the `network` values of the rows that count an attempt: `EVERYWHERE`, and the known network. */
const networksOf = (knownFrom: string | undefined) =>
  knownFrom === undefined ? [EVERYWHERE] : [EVERYWHERE, knownFrom]

/**
 * Compares a password and counts the attempt. The fifth wrong one in a row locks the ID, a right one clears the count.
 * A lock by unknown networks does not refuse a right password from a known network. In one process, the attempts of an
 * ID run sequentially.
 * @param loginId the entered ID in lower case, or the `factorKey` of an account
 * @param isRight runs the slow comparison
 * @returns true if the password was right; false if it was wrong, and neither locked the ID nor disabled the password
 * @throws {Refusal} LOGIN_LOCKED (429, Retry-After) if the ID is locked, or this attempt locks it; PASSWORD_DISABLED
 * after MAX_WRONG_IN_A_ROW wrong passwords
 */
export async function verifyPasswordAttempt(
  db: Db,
  loginId: string,
  isRight: () => Promise<boolean>,
  {
    knownFrom,
    simulateAttempt,
    onRight = () => clearAttempts(db, loginId, knownFrom),
    onWrong,
  }: AttemptOptions = {},
): Promise<boolean> {
  const attempt = await inSequence(db, loginId, async () => {
    const counted = await countAttempt(db, loginId, knownFrom)
    if (counted.isRefused) return { ...counted, matches: false }
    let matches = false
    try {
      matches = await isRight()
      if (matches) await onRight()
    } catch (error) {
      // The comparison failed, so the password was not wrong.
      await refundAttempt(db, loginId, knownFrom)
      throw error
    }
    if (!matches) {
      const isLastOfAll = await countWrong(db, loginId, knownFrom, counted.isLocked)
      await onWrong?.({ isLocked: counted.isLocked, isLastOfAll })
    }
    return { ...counted, matches }
  })
  if (attempt.matches) return true
  if (attempt.isRefused) await simulateAttempt?.()
  // The same codes in known and unknown networks.
  if (attempt.isDisabled) refuse('PASSWORD_DISABLED')
  if (attempt.isRefused || attempt.isLocked) refuse('LOGIN_LOCKED', { retryAfterSeconds: attempt.wait })
  if (attempt.isLast) refuse('LOGIN_LOCKED', { retryAfterSeconds: LOCK_SECONDS })
  return false
}

/**
 * Returns the SQL condition for the counts that a right password clears: those of its network, and others that neither
 * lock the ID nor disable its password.
 */
export const clearableAttempts = (loginId: string, knownFrom: string | undefined) =>
  sql<boolean>`login_id = ${loginId} and (network = ${knownFrom ?? EVERYWHERE}
    or not (${IS_LOCKED} or total >= ${sql.lit(MAX_WRONG_IN_A_ROW)}))`

/** Deletes the counts of wrong passwords of an ID after a right password, as `clearableAttempts`. */
export async function clearAttempts(db: Db, loginId: string, knownFrom: string | undefined): Promise<void> {
  await db.deleteFrom('loginFailures').where(clearableAttempts(loginId, knownFrom)).execute()
}

/** Newest attempt of each ID in this process, per database. */
const newestOf = new WeakMap<Db, Map<string, Promise<unknown>>>()

/** Runs the attempts of an ID sequentially, so that concurrent right passwords do not count as guesses. */
async function inSequence<T>(db: Db, loginId: string, work: () => Promise<T>): Promise<T> {
  const newest = newestOf.get(db) ?? new Map<string, Promise<unknown>>()
  newestOf.set(db, newest)
  const previous = newest.get(loginId) ?? Promise.resolve()
  const attempt = previous.then(work, work)
  newest.set(loginId, attempt)
  try {
    return await attempt
  } finally {
    if (newest.get(loginId) === attempt) newest.delete(loginId)
  }
}
