import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { issueKey as endpoint } from '../../../contract/keys.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import { bindKeySecret } from './secrets.ts'
import { PERIODS, type Period, type Usage, usageOf } from './usage.ts'
import { warnOfLimits } from './warnings.ts'

const REFUSALS = {
  total: 'KEY_LIMIT_TOTAL',
  month: 'KEY_LIMIT_MONTH',
  week: 'KEY_LIMIT_WEEK',
  day: 'KEY_LIMIT_DAY',
} as const

/** Versions of secrets that were checked against their database. A running server never changes its database. */
const bound = new WeakMap<KeySecret, number>()

/**
 * Issues a key (rules/keys#issue-key). Locks the row of the partner, so that limits hold exactly with concurrent calls and several servers.
 * A repeated request gets its earlier key before any limit is checked.
 */
export const issueKey: Handler<typeof endpoint> = async (call, { requestKey }) => {
  const { keySecret, mail } = call.services
  const { key, hasMail } = await call.db.transaction().execute((tx) => issueWithin(tx, call, requestKey))
  bound.set(keySecret, key.secret_version)
  if (hasMail) mail.wake()
  return { keyId: key.id, issuedKey: keySecret.keyOf(key), issuedAt: key.issued_at }
}

async function issueWithin(tx: Transaction<Database>, call: Call<typeof endpoint>, requestKey: string) {
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
    .insertInto('issued_keys')
    .values({
      user_id: actor.id,
      request_key: requestKey,
      partner_id: partner.id,
      affiliation_code: partner.affiliation_code,
      province_name: partner.province_name,
      district_name: partner.district_name,
      issued_at: now,
      secret_version: version,
    })
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow()
  for (const period of PERIODS) usage.used[period] += 1
  const hasMail = await warnOfLimits(tx, partner, usage, services.settings)
  await call.audit(tx, { target: key.id, detail: { requestKey, partner: partner.code, ...byProgram(actor) } })
  return { key, hasMail }
}

type IssuedKey = NonNullable<Awaited<ReturnType<typeof findKey>>>

/**
 * Returns the key that was issued before, and records the repeated request in the audit log. A key of a previous secret is issued again
 * with the current one (rules/keys#changed-secret).
 */
async function repeat(tx: Transaction<Database>, call: Call<typeof endpoint>, before: IssuedKey) {
  const version = await versionOf(tx, call.services.keySecret)
  const isAnew = before.secret_version !== version
  if (isAnew)
    await tx.updateTable('issued_keys').set({ secret_version: version }).where('id', '=', before.id).execute()
  const { actor } = call
  const detail = {
    requestKey: before.request_key,
    repeated: true,
    ...(isAnew && { reissued: true }),
    ...byProgram(actor),
  }
  await call.audit(tx, { target: before.id, detail })
  return { key: { ...before, secret_version: version }, hasMail: false }
}

/** Returns the program that made the request; undefined for a session. */
const byProgram = ({ program }: SignedIn) => program && { programName: program.name }

const versionOf = async (tx: Transaction<Database>, secret: KeySecret) =>
  bound.get(secret) ?? (await bindKeySecret(tx, secret))

const KEY_COLUMNS = [
  'id',
  'user_id',
  'request_key',
  'secret_version',
  wireTime(sql.ref('issued_at')).as('issued_at'),
] as const

function findKey(db: Kysely<Database>, userId: string, requestKey: string) {
  return db
    .selectFrom('issued_keys')
    .select(KEY_COLUMNS)
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .executeTakeFirst()
}

async function lockPartnerOf(tx: Transaction<Database>, userId: string) {
  const row = await tx
    // Locks the user first, too: a change of the user's partner either waits for this call or is visible to it.
    .with('holder', (db) => db.selectFrom('users').select('partner_id').where('id', '=', userId).forShare())
    .selectFrom('partners')
    .selectAll('partners')
    .where('id', '=', (eb) => eb.selectFrom('holder').select('partner_id'))
    .forNoKeyUpdate('partners')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { limit_day: day, limit_week: week, limit_month: month, limit_total: total } = row
  return { ...row, limits: { day, week, month, total } satisfies Record<Period, number | null> }
}

type Partner = NonNullable<Awaited<ReturnType<typeof lockPartnerOf>>>

/** Refuses a deactivated partner, a day outside its validity period, and a limit that is reached. Checks the longest period first. */
function checkPartner({ limits, stopped_at }: Partner, { isInForce, used }: Usage): void {
  if (stopped_at !== null) refuse('PARTNER_STOPPED')
  if (!isInForce) refuse('PARTNER_EXPIRED')
  for (const period of PERIODS) {
    if (limits[period] !== null && used[period] >= limits[period]) refuse(REFUSALS[period])
  }
}
