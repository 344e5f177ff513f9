import { type Kysely, sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/types.ts'

/** Five wrong passwords in a row lock the ID for 15 minutes (rules/account#login-lock). */
export const LOGIN_LOCK = { failures: 5, seconds: 15 * 60 } as const
const { failures: MAX_FAILURES, seconds: LOCK_SECONDS } = LOGIN_LOCK
/** The network of the count of all tries. */
const EVERYWHERE = ''

/** Whether a row of `login_failures` locks. */
export const IS_LOCKED = sql<boolean>`failures >= ${sql.lit(MAX_FAILURES)}
  and last_failed_at > now() - make_interval(secs => ${sql.lit(LOCK_SECONDS)})`

/**
 * Wrong passwords and codes in a row after which the password is disabled (rules/account#disabled-password). NIST SP 800-63B-4
 * allows 100 in all. Strangers have half of them, known networks the other half, and parallel attempts may add five to each.
 */
export const MOST_IN_A_ROW = 45

/** From where a password is tried. */
export interface TriedFrom {
  /** The network, if the owner of the ID has logged in from it before: others' tries from elsewhere do not lock it there. */
  knownFrom?: string | undefined
  /** What is done with a try that is not looked at: it takes as long as one that is. */
  pretend?: () => Promise<unknown>
  /** Clears the counts (`spokenFor`), or gives the try back, with what else a right password does, before the next try under the ID. */
  onRight?: () => Promise<void>
  /** Called after a wrong attempt was checked and counted. */
  onWrong?: (wrong: { isLocked: boolean; isLastOfAll: boolean }) => Promise<void>
}

/** What a try counts as. */
interface Taken {
  /** Not to be looked at. */
  isRefused: boolean
  /** Everywhere but in a network that is known. */
  isLocked: boolean
  /** The password is disabled, here or elsewhere. */
  isDisabled: boolean
  /** The last one: a wrong password locks. */
  isLast: boolean
  wait: number
}

const isSpent = (tries: number | undefined) => (tries ?? 0) >= MOST_IN_A_ROW

/**
 * Takes a try before the password is looked at, so that guesses on several servers cannot outrun the count.
 * Counted by the ID as typed, known or not: a lock must not tell which IDs exist.
 */
async function takeTry(db: Kysely<Database>, loginId: string, knownFrom: string | undefined): Promise<Taken> {
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
  const { rows } = await db.executeQuery(prepared({ compile: () => query.compile(db) }))
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
 * Counts an attempt that was checked and wrong. While the ID is locked everywhere, one from a known network counts for the known networks
 * alone: for an ID that is not known there it would be refused and not counted, and the common count must not tell the two apart.
 * @returns whether it used up what networks that are not known may try
 */
async function countWrong(
  db: Kysely<Database>,
  loginId: string,
  knownFrom: string | undefined,
  isLocked: boolean,
): Promise<boolean> {
  const networks = isLocked && knownFrom !== undefined ? [knownFrom] : networksOf(knownFrom)
  // The rows are there unless a right password has just deleted them. Locked in the order of `takeTry`.
  const query = sql<{ network: string; total: number }>`
    insert into login_failures (login_id, network, failures, total)
      select ${loginId}, network, 1, 1 from unnest(${networks}::text[]) as network
    on conflict (login_id, network) do update set total = login_failures.total + 1
    returning network, total`
  const { rows } = await db.executeQuery(prepared({ compile: () => query.compile(db) }))
  return rows.some(({ network, total }) => network === EVERYWHERE && total === MOST_IN_A_ROW)
}

/**
 * Counts a wrong second factor as a wrong password under the ID, whether the ID is locked or not.
 * @returns whether it disabled the password
 */
export async function countWrongFactor(
  db: Kysely<Database>,
  loginId: string,
  knownFrom: string | undefined,
): Promise<boolean> {
  const { isLocked } = await takeTry(db, loginId, knownFrom)
  return countWrong(db, loginId, knownFrom, isLocked)
}

/** Gives a try back that was no wrong one, and leaves those before it. */
export async function giveBack(
  db: Kysely<Database>,
  loginId: string,
  knownFrom: string | undefined,
): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ failures: sql`greatest(failures - 1, 0)` })
    .where('login_id', '=', loginId)
    .where('network', 'in', networksOf(knownFrom))
    .execute()
}

/** Where a try is counted. */
const networksOf = (knownFrom: string | undefined) =>
  knownFrom === undefined ? [EVERYWHERE] : [EVERYWHERE, knownFrom]

/**
 * Checks a password under the lock's rule: the fifth wrong one in a row locks, the right one clears the count.
 * @param loginId the ID as typed, in lower case, or the `factorKey` of an account
 * @param isRight does the costly comparison
 * @returns whether the password was right
 * @throws {Refusal} LOGIN_LOCKED (429, Retry-After) when the ID is locked or becomes so
 * @throws {Refusal} PASSWORD_DISABLED after too many wrong ones in a row
 */
export async function tryPassword(
  db: Kysely<Database>,
  loginId: string,
  isRight: () => Promise<boolean>,
  { knownFrom, pretend, onRight = () => forgetTries(db, loginId, knownFrom), onWrong }: TriedFrom = {},
): Promise<boolean> {
  const { right, ...taken } = await oneAfterTheOther(loginId, async () => {
    const now = await takeTry(db, loginId, knownFrom)
    if (now.isRefused) return { ...now, right: false }
    let fits = false
    try {
      fits = await isRight()
      if (fits) await onRight()
    } catch (error) {
      // Nobody looked at the password, so it was not a wrong one.
      await giveBack(db, loginId, knownFrom)
      throw error
    }
    if (!fits) {
      const isLastOfAll = await countWrong(db, loginId, knownFrom, now.isLocked)
      await onWrong?.({ isLocked: now.isLocked, isLastOfAll })
    }
    return { ...now, right: fits }
  })
  if (right) return true
  if (taken.isRefused) await pretend?.()
  // Who is known here hears of a lock what everybody hears.
  if (taken.isDisabled) refuse('PASSWORD_DISABLED')
  if (taken.isRefused || taken.isLocked) refuse('LOGIN_LOCKED', { retryAfterSeconds: taken.wait })
  if (taken.isLast) refuse('LOGIN_LOCKED', { retryAfterSeconds: LOCK_SECONDS })
  return false
}

/** The counts that a right password clears, as a condition: a lock that others' tries from elsewhere have made stays. */
export const spokenFor = (loginId: string, knownFrom: string | undefined) =>
  sql<boolean>`login_id = ${loginId} and (network = ${knownFrom ?? EVERYWHERE}
    or not (${IS_LOCKED} or total >= ${sql.lit(MOST_IN_A_ROW)}))`

/** Clears the counts after a right password. */
export async function forgetTries(
  db: Kysely<Database>,
  loginId: string,
  knownFrom: string | undefined,
): Promise<void> {
  await db.deleteFrom('login_failures').where(spokenFor(loginId, knownFrom)).execute()
}

/** The last of those who try under an ID. */
const waiting = new Map<string, Promise<unknown>>()

/** Right passwords that come at once are not taken for guesses: one is looked at when the one before is. */
async function oneAfterTheOther<T>(loginId: string, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(loginId) ?? Promise.resolve()
  const mine = before.then(work, work)
  waiting.set(loginId, mine)
  try {
    return await mine
  } finally {
    if (waiting.get(loginId) === mine) waiting.delete(loginId)
  }
}
