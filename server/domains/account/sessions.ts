import { type Kysely, sql, type Transaction } from 'kysely'
import { FACTOR, type Factor } from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { SessionEnd } from '../../../contract/notifications/kinds.ts'
import type { Config } from '../../config.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { deviceOf } from '../../http/device.ts'
import { liveSession } from '../../http/sessions.ts'
import { notify } from '../../services/notifications.ts'

/** Returns the live sessions of a user, last used first. */
export async function findLiveSessions(db: Kysely<Database>, userId: string, limits: Config['session']) {
  return db
    .selectFrom('sessions')
    .select((eb) => [
      'id',
      'token_hash',
      'user_agent',
      'address',
      'place_known',
      wireTime(eb.ref('created_at')).as('login_at'),
      wireTime(eb.ref('last_used_at')).as('last_use_at'),
    ])
    .where('user_id', '=', userId)
    .where(sql.raw<boolean>(liveSession('sessions', limits.absoluteSeconds, limits.idleSeconds)))
    .orderBy('last_used_at', 'desc')
    .execute()
}

/**
 * Ends the access of users: their sessions, their logins that wait for a second factor, and the email corrections that they requested
 * (rules/account#session-end).
 */
export async function endAccess(tx: Transaction<Database>, ...userIds: readonly string[]): Promise<void> {
  await accessOf(tx, userIds).execute()
}

/** Ends the access of a user, except for one session. */
export async function endOtherAccess(
  tx: Transaction<Database>,
  userId: string,
  tokenHash: Buffer,
): Promise<void> {
  await accessOf(tx, [userId]).where('token_hash', '<>', tokenHash).execute()
}

function accessOf(tx: Transaction<Database>, userIds: readonly string[]) {
  const anyUser = sql<string>`any(${userIds}::bigint[])`
  return tx
    .with('tickets', (db) => db.deleteFrom('login_tickets').where('user_id', '=', anyUser))
    .with('corrections', (db) => db.deleteFrom('account_links').where('requested_by', '=', anyUser))
    .deleteFrom('sessions')
    .where('user_id', '=', anyUser)
}

/** Gives the session access to the caller's own record for the next 10 minutes (rules/account#password-gate). */
export async function savePasswordCheck(tx: Transaction<Database>, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ password_checked_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Returns the parts of a session that the one replacing it keeps: its second factor, and whether its network was known. */
export function lastingPartsOf(tx: Transaction<Database>, tokenHash: Buffer) {
  return tx
    .selectFrom('sessions')
    .select(['factor_checked_at', 'factor_checked_by', 'factor_made_at', 'place_known'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Seconds within which a passkey must answer the challenge of a session. */
const CHALLENGE_SECONDS = 300

/** Stores the challenge for a passkey in a session, in place of the one before. */
export async function saveSessionChallenge(
  db: Kysely<Database>,
  tokenHash: Buffer,
  challenge: string,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ challenge, challenged_at: sql`now()` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** Returns the challenge of a session. @returns null if there is none or it expired */
export async function challengeOf(db: Kysely<Database>, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('challenge')
    .where('token_hash', '=', tokenHash)
    .where('challenged_at', '>', sql<Date>`now() - make_interval(secs => ${sql.lit(CHALLENGE_SECONDS)})`)
    .executeTakeFirst()
  return row?.challenge ?? null
}

/**
 * Records in a session that its user gave a second factor, and uses the challenge up.
 * @param given.madeAt when the factor was set up
 * @param given.challenge the one that was answered; after another one was requested, a passkey's answer does not count
 */
export async function saveFactorCheck(
  tx: Transaction<Database>,
  tokenHash: Buffer,
  { factor, madeAt, challenge }: { factor: Factor; madeAt: Date | null; challenge: string | null },
): Promise<void> {
  const query = tx
    .updateTable('sessions')
    .set({
      factor_checked_at: sql`now()`,
      factor_checked_by: factor,
      factor_made_at: madeAt,
      factor_tries: 0,
      challenge: null,
    })
    .where('token_hash', '=', tokenHash)
  const { numUpdatedRows } = await (
    factor === FACTOR.passkey ? query.where('challenge', '=', challenge) : query
  ).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n && factor === FACTOR.passkey) refuse('PASSKEY_INVALID')
}

/** Wrong second factors in a row that end the session in which they were given. */
export const SESSION_TRIES = 10

/**
 * Counts an attempt at the second factor in a session before it is checked, so that parallel attempts cannot exceed the limit.
 * @returns the number of attempts since the last right one; more than SESSION_TRIES if this one must not be checked
 */
export async function takeSessionTry(db: Kysely<Database>, tokenHash: Buffer): Promise<number> {
  const row = await db
    .updateTable('sessions')
    .set({ factor_tries: sql`factor_tries + 1` })
    .where('token_hash', '=', tokenHash)
    .returning('factor_tries')
    .executeTakeFirst()
  return row?.factor_tries ?? SESSION_TRIES + 1
}

/** Ends a session in which too many second factors were wrong, and notifies its user. */
export async function endByWrongFactors(
  tx: Transaction<Database>,
  { id, tokenHash }: { id: string; tokenHash: Buffer },
): Promise<void> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(['address', 'user_agent'])
    .execute()
  await tellEnded(tx, id, 'factor', ended)
}

/** An ended session, as its user is notified of it. */
interface Ended {
  address: string
  user_agent: string
}

/** Notifies a user which of their sessions ended, and why (rules/account#session-ended). */
export async function tellEnded(
  tx: Transaction<Database>,
  userId: string,
  reason: SessionEnd,
  ended: readonly Ended[],
): Promise<void> {
  const [one, ...more] = ended
  if (one === undefined) return
  // Several sessions cause one notification, which names none of them.
  const which = more.length === 0 && { address: one.address, device: deviceOf(one.user_agent) }
  await notify(tx, { kind: 'SESSION_ENDED', userId, detail: { reason, ...which } })
}

/**
 * Ends the oldest sessions of a user above the limit, but never the one that begins. The caller has locked the account, so that the second
 * of two concurrent logins sees the first (`saveLogin`).
 */
export async function endBeyond(
  tx: Transaction<Database>,
  { userId, tokenHash, most }: { userId: string; tokenHash: Buffer; most: number },
  limits: Config['session'],
): Promise<Ended[]> {
  const live = sql.raw<boolean>(liveSession('s', limits.absoluteSeconds, limits.idleSeconds))
  return tx
    .deleteFrom('sessions')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('sessions as s')
        .select('s.token_hash')
        .where('s.user_id', '=', userId)
        .where('s.token_hash', '<>', tokenHash)
        .where(live)
        .orderBy('s.created_at', 'desc')
        .orderBy('s.id', 'desc')
        .offset(most - 1),
    )
    .returning(['address', 'user_agent'])
    .execute()
}

/**
 * Ends a live session of a user.
 * @returns undefined if there is no such session
 */
export async function endOne(
  tx: Transaction<Database>,
  { userId, sessionId }: { userId: string; sessionId: string },
  limits: Config['session'],
): Promise<Ended | undefined> {
  return tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', sessionId)
    .where(sql.raw<boolean>(liveSession('sessions', limits.absoluteSeconds, limits.idleSeconds)))
    .returning(['address', 'user_agent'])
    .executeTakeFirst()
}
