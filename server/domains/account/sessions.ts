import { type Kysely, sql, type Transaction } from 'kysely'
import {
  FACTOR,
  type Factor,
  type endOtherSessions as endEndpoint,
  type listSessions as listEndpoint,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import type { SessionEnd } from '../../../contract/notifications/kinds.ts'
import type { SessionLimits } from '../../services/settings.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import { deviceOf } from '../../callers/user-agent.ts'
import { liveSession, type SignedIn } from '../../callers/sessions.ts'
import { findTrustedDevices } from './trusted-devices.ts'
import { notify } from '../../records/notifications.ts'
import type { Handler } from '../../http/handler.ts'

/**
 * Returns the live sessions of a user, last used first, with the times of login and last use in the format of the wire.
 * Leaves out expired ones that are not deleted yet.
 * @param limits the times after which a session is no longer live
 */
export async function findLiveSessions(db: Kysely<Database>, userId: string, limits: SessionLimits) {
  return db
    .selectFrom('sessions')
    .select((eb) => [
      'id',
      'tokenHash',
      'userAgent',
      'address',
      'placeKnown',
      wireTime(eb.ref('createdAt')).as('loginAt'),
      wireTime(eb.ref('lastUsedAt')).as('lastUseAt'),
    ])
    .where('userId', '=', userId)
    .where(sql.raw<boolean>(liveSession('sessions', limits.absoluteSeconds, limits.idleSeconds)))
    .orderBy('lastUsedAt', 'desc')
    .execute()
}

/**
 * Ends the access of users: their sessions, trusted devices, logins that wait for a second factor, and email corrections that they requested
 * (rules/account#session-end).
 */
export async function endAccess(tx: Transaction<Database>, ...userIds: readonly string[]): Promise<void> {
  if (userIds.length > 0) await accessOf(tx, userIds).execute()
}

/**
 * Ends the access of a user as `endAccess` does, except for one session.
 * @param tokenHash the session that stays
 */
export async function endOtherAccess(
  tx: Transaction<Database>,
  userId: string,
  tokenHash: Buffer,
): Promise<void> {
  await accessOf(tx, [userId]).where('tokenHash', '<>', tokenHash).execute()
}

/** Returns the statement that deletes the access of users as `endAccess` describes, so that a caller can except sessions. */
function accessOf(tx: Transaction<Database>, userIds: readonly string[]) {
  const anyUser = sql<string>`any(${userIds}::bigint[])`
  return tx
    .with('tickets', (db) => db.deleteFrom('loginTickets').where('userId', '=', anyUser))
    .with('devices', (db) => db.deleteFrom('trustedDevices').where('userId', '=', anyUser))
    .with('corrections', (db) => db.deleteFrom('accountLinks').where('requestedBy', '=', anyUser))
    .deleteFrom('sessions')
    .where('userId', '=', anyUser)
}

/** Stores in a session that its user has entered the password now (rules/account#password-gate). */
export async function savePasswordCheck(tx: Transaction<Database>, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ passwordCheckedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .execute()
}

/**
 * Returns the fields of a session that its replacement after a password change keeps: the check of a second factor,
 * whether its network was known, and its identity provider, which may end it. `createdAt` is now, or the time of the
 * login if no password may begin a session (rules/sso#required).
 * @returns undefined if the session has ended
 */
export function findLastingFields(tx: Transaction<Database>, tokenHash: Buffer) {
  return tx
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.userId')
    .select(['factorCheckedAt', 'factorCheckedBy', 'factorMadeAt', 'placeKnown', 'providerId'])
    .select(sql<Date>`case when sso_enforced(u) then s.created_at else now() end`.as('createdAt'))
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

/** Seconds within which a passkey must answer the challenge of a session. */
const CHALLENGE_SECONDS = 300

/** Stores the challenge for a passkey in a session. Replaces the previous one. */
export async function saveSessionChallenge(
  db: Kysely<Database>,
  tokenHash: Buffer,
  challenge: string,
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ challenge, challengedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .execute()
}

/**
 * Returns the challenge of a session.
 * @returns null if there is none or it expired
 */
export async function findSessionChallenge(db: Kysely<Database>, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('sessions')
    .select('challenge')
    .where('tokenHash', '=', tokenHash)
    .where('challengedAt', '>', sql<Date>`now() - make_interval(secs => ${sql.lit(CHALLENGE_SECONDS)})`)
    .executeTakeFirst()
  return row?.challenge ?? null
}

/**
 * Stores in a session that its user gave a second factor now. Clears the challenge and the count of attempts.
 * @param given.factor kind of the factor
 * @param given.madeAt when the factor was set up; null for a recovery code
 * @param given.challenge the challenge that a passkey signed; ignored for other factors
 * @throws {Refusal} PASSKEY_INVALID for a passkey, if another challenge was requested since or the session has ended
 */
export async function saveFactorCheck(
  tx: Transaction<Database>,
  tokenHash: Buffer,
  { factor, madeAt, challenge }: { factor: Factor; madeAt: Date | null; challenge: string | null },
): Promise<void> {
  const query = tx
    .updateTable('sessions')
    .set({
      factorCheckedAt: sql`now()`,
      factorCheckedBy: factor,
      factorMadeAt: madeAt,
      factorTries: 0,
      challenge: null,
    })
    .where('tokenHash', '=', tokenHash)
  const { numUpdatedRows } = await (
    factor === FACTOR.passkey ? query.where('challenge', '=', challenge) : query
  ).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n && factor === FACTOR.passkey) refuse('PASSKEY_INVALID')
}

/** Number of wrong second factors in a row that end the session in which they were given. */
export const SESSION_TRIES = 10

/**
 * Counts an attempt at the second factor in a session before it is checked, so that parallel attempts cannot exceed the
 * limit.
 * @returns the number of attempts since the last right one, this one included. It exceeds SESSION_TRIES if this one
 * must not be checked, or the session has ended.
 */
export async function countFactorAttemptInSession(db: Kysely<Database>, tokenHash: Buffer): Promise<number> {
  const row = await db
    .updateTable('sessions')
    .set({ factorTries: sql`factor_tries + 1` })
    .where('tokenHash', '=', tokenHash)
    .returning('factorTries')
    .executeTakeFirst()
  return row?.factorTries ?? SESSION_TRIES + 1
}

/**
 * Ends a session in which too many second factors were wrong, and notifies its user.
 * @param user the user of the session: users.id, and the hash of the session's token
 */
export async function endByWrongFactors(
  tx: Transaction<Database>,
  { id: userId, tokenHash }: Pick<SignedIn, 'id' | 'tokenHash'>,
): Promise<void> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('tokenHash', '=', tokenHash)
    .returning(['address', 'userAgent'])
    .execute()
  await tellEnded(tx, userId, 'factor', ended)
}

/** Address and browser of an ended session, for the notification of its user. */
interface Ended {
  address: string
  userAgent: string
}

/**
 * Notifies a user which of their sessions ended, and why (rules/account#session-ended). Several sessions cause one notification
 * without details, no session causes none.
 */
export async function tellEnded(
  tx: Transaction<Database>,
  userId: string,
  reason: SessionEnd,
  ended: readonly Ended[],
): Promise<void> {
  const [one, ...more] = ended
  if (one === undefined) return
  // Several sessions cause one notification, which names no session.
  const which = more.length === 0 && { address: one.address, device: deviceOf(one.userAgent) }
  await notify(tx, { kind: 'SESSION_ENDED', userId, detail: { reason, ...which } })
}

/**
 * Ends the oldest live sessions of a user above the limit, but never the one that begins. Sends no notification. The caller
 * must lock the account, so that the second of two concurrent logins sees the first (`saveLogin`).
 * @param tokenHash the session that begins
 * @param most limit of sessions, at least 1
 * @returns the ended sessions
 */
export async function endOldestSessions(
  tx: Transaction<Database>,
  { userId, tokenHash, most }: { userId: string; tokenHash: Buffer; most: number },
  limits: SessionLimits,
): Promise<Ended[]> {
  const live = sql.raw<boolean>(liveSession('s', limits.absoluteSeconds, limits.idleSeconds))
  return tx
    .deleteFrom('sessions')
    .where('tokenHash', 'in', (eb) =>
      eb
        .selectFrom('sessions as s')
        .select('s.tokenHash')
        .where('s.userId', '=', userId)
        .where('s.tokenHash', '<>', tokenHash)
        .where(live)
        .orderBy('s.createdAt', 'desc')
        .orderBy('s.id', 'desc')
        .offset(most - 1),
    )
    .returning(['address', 'userAgent'])
    .execute()
}

/**
 * Ends a live session of a user. Sends no notification.
 * @param sessionId sessions.id
 * @param limits the times after which a session is no longer live
 * @returns address and browser of the session; undefined if there is no such session
 */
export async function endOne(
  tx: Transaction<Database>,
  { userId, sessionId }: { userId: string; sessionId: string },
  limits: SessionLimits,
): Promise<Ended | undefined> {
  return tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('id', '=', sessionId)
    .where(sql.raw<boolean>(liveSession('sessions', limits.absoluteSeconds, limits.idleSeconds)))
    .returning(['address', 'userAgent'])
    .executeTakeFirst()
}

/** Returns the caller's live sessions, the current one first, and their trusted devices, newest first (rules/account#devices). */
export const listSessions: Handler<typeof listEndpoint> = async (call) => {
  const { db, actor, services } = call
  const sessions = await findLiveSessions(db, actor.id, services.settings.session())
  const rows = sessions.map((session) => ({
    current: session.tokenHash.equals(actor.tokenHash),
    device: deviceOf(session.userAgent),
    address: session.address,
    loggedInAt: session.loginAt,
    lastUsedAt: session.lastUseAt,
  }))
  return {
    sessions: rows.toSorted((a, b) => (a.current === b.current ? 0 : a.current ? -1 : 1)),
    trustedDevices: await findTrustedDevices(db, call, actor.id),
  }
}

/**
 * Ends the caller's other sessions, waiting logins, trusted devices and requested email corrections (`endOtherAccess`),
 * with an audit row.
 * @returns the number of sessions that had not expired
 */
export const endOtherSessions: Handler<typeof endEndpoint> = async (call) => {
  const { db, actor, services } = call
  const ended = await db.transaction().execute(async (tx) => {
    // Counts only the sessions that the list shows: an expired session was not ended by this call.
    const live = await findLiveSessions(tx, actor.id, services.settings.session())
    const count = live.filter((session) => !session.tokenHash.equals(actor.tokenHash)).length
    await endOtherAccess(tx, actor.id, actor.tokenHash)
    await call.audit(tx, { target: actor.userId, detail: { ended: count }, records: [`user/${actor.id}`] })
    return count
  })
  return { endedCount: ended }
}
