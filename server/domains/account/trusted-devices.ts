import { type Kysely, sql, type Transaction } from 'kysely'
import type pg from 'pg'
import {
  FACTOR,
  type Factor,
  type removeDevice as removeEndpoint,
  TRUST_DAYS,
  TRUSTED_DEVICES_MAX,
} from '../../../contract/account.ts'
import { refuse } from '../../../contract/errors.ts'
import { deviceOf } from '../../callers/user-agent.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import { tellOfFactor } from './factor-mails.ts'
import { lockFactors } from './factors.ts'

/** SQL expression for TRUST_DAYS as an interval. */
const TRUST = sql`make_interval(days => ${sql.lit(TRUST_DAYS)})`
/** SQL condition that a trusted device has not expired. */
const IS_LIVE = sql<boolean>`(created_at > now() - ${TRUST})`

/**
 * Returns whether the role of a user lets them trust devices (rules/settings#trusted-devices).
 * @param id users.id
 */
export async function mayTrustDevice(db: Kysely<Database>, id: string): Promise<boolean> {
  const { devicesTrusted } = await db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.code', 'u.roleCode')
    .select('r.devicesTrusted')
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()
  return devicesTrusted
}

/**
 * Returns whether the browser of a login is a trusted device of this user, so that the login needs no second factor; if
 * so, stores the time of its use. False if the role no longer allows it, after TRUST_DAYS, and for a cookie of another
 * user.
 */
export async function loginFromTrustedDevice(
  tx: Transaction<Database>,
  { cookies }: Pick<Call, 'cookies'>,
  userId: string,
): Promise<boolean> {
  const tokenHash = cookies.trustOf(userId)
  if (tokenHash === null || !(await mayTrustDevice(tx, userId))) return false
  // Before the row of the device, as in changes of passwords and roles, whose trigger deletes it. Otherwise they deadlock.
  await lockFactors(tx, userId)
  const { numUpdatedRows } = await tx
    .updateTable('trustedDevices')
    .set({ lastUsedAt: sql`now()` })
    .where('userId', '=', userId)
    .where('tokenHash', '=', tokenHash)
    .where(IS_LIVE)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/**
 * Trusts the browser that finishes a login: sets its cookie, replaces its earlier trust, deletes the user's oldest devices
 * above TRUSTED_DEVICES_MAX, and mails the user (rules/account#trusted-devices).
 * @param factor the factor that the user gave
 * @returns false if the role does not allow it, after a recovery code, and for a client without cookies
 */
export async function trustDevice(
  tx: Transaction<Database>,
  call: Pick<Call, 'address' | 'cookies' | 'requester' | 'services' | 'userAgent'>,
  userId: string,
  factor: Factor,
): Promise<boolean> {
  if (factor === FACTOR.recovery || !(await mayTrustDevice(tx, userId))) return false
  const former = call.cookies.trustOf(userId)
  const tokenHash = call.cookies.trust(userId, TRUST_DAYS)
  if (tokenHash === null) return false
  const owner = await lockFactors(tx, userId)
  const own = tx.selectFrom('trustedDevices').select('id').where('userId', '=', userId)
  await tx
    .deleteFrom('trustedDevices')
    .where('userId', '=', userId)
    .where((eb) =>
      eb.or([
        eb('tokenHash', '=', former),
        eb('id', 'in', own.orderBy('id', 'desc').offset(TRUSTED_DEVICES_MAX - 1)),
      ]),
    )
    .execute()
  const { address, userAgent } = call
  await tx.insertInto('trustedDevices').values({ userId, tokenHash, address, userAgent }).execute()
  const device = deviceOf(userAgent)
  await tellOfFactor(tx, call, owner, 'deviceTrusted', { device })
  return true
}

/**
 * Returns the trusted devices of a user that have not expired, the newest first: with browser, address and times; `current` is
 * true for the caller's browser.
 */
export async function findTrustedDevices(
  db: Kysely<Database>,
  { cookies }: Pick<Call, 'cookies'>,
  userId: string,
) {
  const rows = await db
    .selectFrom('trustedDevices')
    .select((eb) => [
      'id',
      'userAgent',
      'address',
      'tokenHash',
      wireTime(eb.ref('createdAt')).as('createdAt'),
      wireTime(eb.ref('lastUsedAt')).as('lastUsedAt'),
      wireTime(sql<Date>`(created_at + ${TRUST})`).as('expiresAt'),
    ])
    .where('userId', '=', userId)
    .where(IS_LIVE)
    .orderBy('id', 'desc')
    .execute()
  const here = cookies.trustOf(userId)
  return rows.map(({ id: deviceId, userAgent, tokenHash, ...row }) => ({
    ...row,
    deviceId,
    device: deviceOf(userAgent),
    current: here !== null && tokenHash.equals(here),
  }))
}

/**
 * Removes a trusted device of the caller, with an audit row (rules/account#trusted-devices).
 * @throws {Refusal} DEVICE_NOT_FOUND, also for another user's device
 */
export const removeDevice: Handler<typeof removeEndpoint> = async (call, { deviceId }) => {
  const { actor, db } = call
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('trustedDevices')
      .where('id', '=', deviceId)
      .where('userId', '=', actor.id)
      .returning('userAgent')
      .executeTakeFirst()
    if (row === undefined) return refuse('DEVICE_NOT_FOUND')
    const detail = { device: deviceOf(row.userAgent) }
    await call.audit(tx, { target: actor.userId, detail, records: [`user/${actor.id}`] })
  })
}

/** Deletes trusted devices after TRUST_DAYS. */
export async function removeOldDevices(pool: pg.Pool): Promise<void> {
  await pool.query('delete from trusted_devices where created_at < now() - make_interval(days => $1)', [
    TRUST_DAYS,
  ])
}
