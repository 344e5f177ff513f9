import { sql } from 'kysely'
import { inBranch } from '../roles/index.ts'
import { refuse } from '../../../contract/errors.ts'
import type {
  issueKey as endpoint,
  revokeKey as revokeEndpoint,
  revokeKeys as revokeManyEndpoint,
} from '../../../contract/keys.ts'
import { wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import { bindKeySecret } from './secrets.ts'
import { PERIODS, type Period, type Usage, usageOf, warnOfLimits } from './usage.ts'
import { revokeKeys as revoke } from '../../records/key-revocations.ts'

/** Error codes by the limit that is reached. */
const REFUSALS = {
  total: 'KEY_LIMIT_TOTAL',
  month: 'KEY_LIMIT_MONTH',
  week: 'KEY_LIMIT_WEEK',
  day: 'KEY_LIMIT_DAY',
} as const

/**
 * Versions of the key secrets that this process has checked against their database. A running server never changes its
 * database.
 */
const bound = new WeakMap<KeySecret, number>()

/**
 * Issues a key to the caller, for the partner of the caller, with an audit row (rules/keys#issue-key). Locks the row of the
 * partner, so that limits hold exactly with concurrent calls and several servers. A repeated request gets its earlier key, also
 * a revoked one, before any limit is checked. Warns of limits as `warnOfLimits`, and wakes the mail job.
 * @param input.requestKey the caller's own name of the request, by which a repeated one is recognized
 * @throws {Refusal} NO_PARTNER if the caller has none; and as `checkPartner`
 */
export const issueKey: Handler<typeof endpoint> = async (call, { requestKey }) => {
  const { keySecret, mail } = call.services
  const { key, hasMail } = await call.db.transaction().execute((tx) => issueWithin(tx, call, requestKey))
  bound.set(keySecret, key.secretVersion)
  if (hasMail) mail.wake()
  return { keyId: key.id, issuedKey: keySecret.keyOf(key), issuedAt: key.issuedAt }
}

/**
 * Issues the key in a transaction with its audit row, as `issueKey`, but does not wake the mail job.
 * @returns the key, and whether a mail was queued
 * @throws {Refusal} as `issueKey`
 */
async function issueWithin(tx: Tx, call: Call<typeof endpoint>, requestKey: string) {
  const { actor, services } = call
  const partner = await lockPartnerOf(tx, actor.id)
  // Checked under the lock, because the same request may arrive twice concurrently.
  const before = await findKey(tx, actor.id, requestKey)
  if (before !== undefined) return repeat(tx, call, before)
  if (partner === undefined) return refuse('NO_PARTNER')

  // Read after the wait for the lock: a key belongs to the day on which it is issued.
  const now = call.now()
  const usage = await usageOf(tx, partner.id, now)
  checkPartner(partner, usage)
  const version = await versionOf(tx, services.keySecret)
  const key = await tx
    .insertInto('issuedKeys')
    .values({
      userId: actor.id,
      requestKey,
      partnerId: partner.id,
      affiliationCode: partner.affiliationCode,
      provinceName: partner.provinceName,
      districtName: partner.districtName,
      issuedAt: now,
      secretVersion: version,
    })
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow()
  for (const period of PERIODS) usage.used[period] += 1
  const hasMail = await warnOfLimits(tx, partner, usage, services.settings)
  await call.audit(tx, {
    target: key.id,
    detail: { requestKey, partner: partner.code },
    records: null,
  })
  return { key, hasMail }
}

/** Key as `findKey` returns it. */
type IssuedKey = NonNullable<Awaited<ReturnType<typeof findKey>>>

/**
 * Returns the key that was issued before, and writes an audit row of the repeated request. A key of a previous secret
 * is issued again with the current one (rules/keys#changed-secret).
 */
async function repeat(tx: Tx, call: Call<typeof endpoint>, before: IssuedKey) {
  const version = await versionOf(tx, call.services.keySecret)
  const isAnew = before.secretVersion !== version
  if (isAnew)
    await tx.updateTable('issuedKeys').set({ secretVersion: version }).where('id', '=', before.id).execute()
  const detail = {
    requestKey: before.requestKey,
    repeated: true,
    ...(isAnew && { reissued: true }),
  }
  await call.audit(tx, { target: before.id, detail, records: null })
  return { key: { ...before, secretVersion: version }, hasMail: false }
}

/** Returns the version of the key secret, and checks once per process that it is that of the database (`bindKeySecret`). */
const versionOf = async (tx: Tx, secret: KeySecret) => bound.get(secret) ?? (await bindKeySecret(tx, secret))

/** Columns of an issued key from which the response is created. */
const KEY_COLUMNS = [
  'id',
  'userId',
  'requestKey',
  'secretVersion',
  wireTime(sql.ref('issuedAt')).as('issuedAt'),
] as const

/**
 * Returns the key that was issued to a user for a request, also a revoked one; undefined if there is none.
 * @param userId users.id
 */
function findKey(db: Db, userId: string, requestKey: string) {
  return db
    .selectFrom('issuedKeys')
    .select(KEY_COLUMNS)
    .where('userId', '=', userId)
    .where('requestKey', '=', requestKey)
    .executeTakeFirst()
}

/**
 * Locks the partner of a user until the transaction ends, and returns it with its limits of keys (null for none).
 * @param userId users.id
 * @returns undefined if the user has no partner
 */
async function lockPartnerOf(tx: Tx, userId: string) {
  const row = await tx
    // Locks the user first, too: a change of the user's partner either waits for this call or is visible to it.
    .with('holder', (db) => db.selectFrom('users').select('partnerId').where('id', '=', userId).forShare())
    .selectFrom('partners')
    .selectAll('partners')
    .where('id', '=', (eb) => eb.selectFrom('holder').select('partnerId'))
    .forNoKeyUpdate('partners')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { limitDay: day, limitWeek: week, limitMonth: month, limitTotal: total } = row
  return { ...row, limits: { day, week, month, total } satisfies Record<Period, number | null> }
}

/** Partner with its limits, as `lockPartnerOf` returns it. */
type Partner = NonNullable<Awaited<ReturnType<typeof lockPartnerOf>>>

/**
 * Refuses a partner that may not be issued a key now. Checks the longest limit first.
 * @throws {Refusal} PARTNER_STOPPED; PARTNER_EXPIRED for a day outside its validity period; KEY_LIMIT_TOTAL,
 * KEY_LIMIT_MONTH, KEY_LIMIT_WEEK or KEY_LIMIT_DAY if a limit is reached
 */
function checkPartner({ limits, stoppedAt }: Partner, { isInForce, used }: Usage): void {
  if (stoppedAt !== null) refuse('PARTNER_STOPPED')
  if (!isInForce) refuse('PARTNER_EXPIRED')
  for (const period of PERIODS) {
    if (limits[period] !== null && used[period] >= limits[period]) refuse(REFUSALS[period])
  }
}

/**
 * Revokes a key within the caller's branch with a reason, with an audit row, and notifies its user
 * (rules/keys#revoke-key).
 * @throws {Refusal} KEY_NOT_FOUND, also for a key of another branch; KEY_ALREADY_REVOKED
 */
export const revokeKey: Handler<typeof revokeEndpoint> = async (call, { keyId, reason }) => {
  await revokeChosen(call, [keyId], reason)
  return {}
}

/**
 * Revokes many keys within the caller's branch with one reason, each with an audit row, and notifies their users
 * (rules/keys#revoke-many). Keys that are revoked already stay as they are.
 * @returns the number of keys that this call revoked
 * @throws {Refusal} KEY_NOT_FOUND if any is missing or of another branch; KEY_ALREADY_REVOKED if all are revoked;
 * KEYS_TOO_MANY
 */
export const revokeKeys: Handler<typeof revokeManyEndpoint> = async (call, { keyIds, reason }) => ({
  keyCount: await revokeChosen(call, [...new Set(keyIds)], reason),
})

/**
 * Revokes the keys with these IDs within the caller's branch, with an audit row and a notification for each.
 * @returns the number of keys that this call revoked
 * @throws {Refusal} as `revokeKeys`
 */
async function revokeChosen(
  call: Call<typeof revokeEndpoint | typeof revokeManyEndpoint>,
  keyIds: readonly string[],
  reason: string,
): Promise<number> {
  const isWithin = inBranch(call.actor, sql.ref('affiliationCode'))
  const isChosen = sql<boolean>`id = any(${keyIds}::bigint[]) and ${isWithin}`
  return call.db.transaction().execute(async (tx) => {
    const keys = await tx.selectFrom('issuedKeys').select('userId').where(isChosen).execute()
    call.touches(keys.map(({ userId }) => userId))
    if (keys.length < keyIds.length) refuse('KEY_NOT_FOUND')
    const count = await revoke(tx, call, isChosen, reason)
    if (count === 0) refuse('KEY_ALREADY_REVOKED')
    return count
  })
}
