import { sql } from 'kysely'
import { StartRefusal } from '../../startup-error.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import type { Db, Tx } from '../../db/database.ts'
import type {
  listFormerKeyHolders as holdersEndpoint,
  listKeySecrets as listEndpoint,
} from '../../../contract/keys.ts'
import { pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'

/** Version of a key secret that keys need, and the number of its keys that are not revoked. */
interface Missing {
  version: number
  keys: number
}

/** Returns the number of keys of a secret that are not revoked. */
async function countLive(db: Db, version: number): Promise<number> {
  const { keys } = await db
    .selectFrom('issuedKeys')
    .select(sql<number>`count(*)::int`.as('keys'))
    .where('secretVersion', '=', version)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return keys
}

/** Returns the query for the key secrets that this database has issued keys with, by version. */
const versionsOf = (db: Db) => db.selectFrom('keySecrets').orderBy('version')

/**
 * Returns the key secrets that keys need which are not revoked, and that are neither the current nor a previous secret
 * of this server. Leaves out those marked as lost.
 */
async function findMissing(db: Db, { fingerprints }: KeySecret): Promise<Missing[]> {
  const needed = await versionsOf(db)
    .select(['version', 'fingerprint'])
    .where('forgottenAt', 'is', null)
    .execute()
  const missing: Missing[] = []
  for (const { version, fingerprint } of needed) {
    if (fingerprints.some((own) => own.equals(fingerprint))) continue
    const keys = await countLive(db, version)
    if (keys > 0) missing.push({ version, keys })
  }
  return missing
}

/** Returns whether this database has issued keys with the current or a previous secret of this server. */
async function hasAnyOf(db: Db, { fingerprints }: KeySecret): Promise<boolean> {
  const row = await db
    .selectFrom('keySecrets')
    .select('version')
    .where('fingerprint', 'in', [...fingerprints])
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the text that explains to the operator which key secrets are missing.
 * @returns undefined if none is missing
 */
async function explainMissing(db: Db, secret: KeySecret): Promise<string | undefined> {
  const missing = await findMissing(db, secret)
  if (missing.length === 0) return undefined
  const keys = missing.reduce((all, one) => all + one.keys, 0)
  const lost = 'Is it lost for good: npm run check -- --forget-key-secret.'
  if (await hasAnyOf(db, secret))
    return `KEY_SECRET_OLD lacks a previous secret (version ${missing.map(({ version }) => version).join(', ')}) that ${keys} keys still need: without it none of them would be valid. Put it back until they are issued again or revoked (/key/secrets lists their users). ${lost}`
  return `KEY_SECRET is not the one that the keys of this database were derived with, so none of them would be valid (${keys} that are not revoked). Give every server of one database the same KEY_SECRET (without it each keeps its own in DATA_DIR/key-secret: set KEY_SECRET to the content of that file of the first server). To change it, set the previous one as KEY_SECRET_OLD. ${lost}`
}

/**
 * Checks when a server starts that it has the key secrets of all keys that are not revoked. Writes nothing.
 * @throws {StartRefusal} if keys of this database were derived with a secret that is neither configured nor marked as
 * lost
 */
export async function checkKeySecret(db: Db, secret: KeySecret): Promise<void> {
  const refusal = await explainMissing(db, secret)
  if (refusal !== undefined) throw new StartRefusal(refusal)
}

/**
 * Returns the version of the current key secret in the database. Adds the secret if it is new, in the transaction of
 * its first key.
 * @throws {Error} as `explainMissing`, also if another server has added a secret that this server does not have: the
 * new key would be invalid there
 */
export async function bindKeySecret(tx: Tx, secret: KeySecret): Promise<number> {
  const { fingerprint } = secret
  const known = () =>
    tx.selectFrom('keySecrets').select('version').where('fingerprint', '=', fingerprint).executeTakeFirst()
  const refusal = await explainMissing(tx, secret)
  if (refusal !== undefined) throw new Error(refusal)
  const before = await known()
  if (before !== undefined) return before.version
  await tx
    .insertInto('keySecrets')
    .values({ version: sql`(select coalesce(max(version), 0) + 1 from key_secrets)`, fingerprint })
    // Another process may have inserted first: with the same secret, or with another one, which the next check reports.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const bound = await known()
  if (bound === undefined)
    throw new Error((await explainMissing(tx, secret)) ?? 'The key secret cannot be bound.')
  return bound.version
}

/**
 * Marks as lost the key secrets that keys need and this server lacks. A start without them is then allowed, and their
 * keys are invalid until they are issued again.
 * @returns the number of these keys
 */
export async function forgetKeySecrets(db: Db, secret: KeySecret): Promise<number> {
  const missing = await findMissing(db, secret)
  for (const { version } of missing)
    await db
      .updateTable('keySecrets')
      .set({ forgottenAt: sql`now()` })
      .where('version', '=', version)
      .execute()
  return missing.reduce((all, { keys }) => all + keys, 0)
}

/**
 * Returns the versions of previous secrets that keys still need which are not revoked, with the number of these keys.
 * Leaves out secrets marked as lost.
 */
export async function formerSecretsOf(db: Db, { fingerprint }: KeySecret): Promise<Missing[]> {
  const former = await versionsOf(db)
    .select('version')
    .where('fingerprint', '<>', fingerprint)
    .where('forgottenAt', 'is', null)
    .execute()
  const found: Missing[] = []
  for (const { version } of former) found.push({ version, keys: await countLive(db, version) })
  return found.filter(({ keys }) => keys > 0)
}

/** Stores for each previous secret the number of its keys that are not revoked, for the metric. */
export async function countFormerKeys(db: Db, { fingerprint }: KeySecret): Promise<void> {
  await db
    .updateTable('keySecrets')
    .set({
      liveKeys: sql`case when fingerprint = ${fingerprint} then 0 else
        (select count(*) from issued_keys k where k.secret_version = key_secrets.version and k.revoked_at is null) end`,
    })
    .execute()
}

/**
 * Returns the key secrets that this database has issued keys with, newest first, with the number of their keys that are
 * not revoked, and their state on this server: current, former (previous), or gone (not configured)
 * (rules/keys#changed-secret).
 */
export const listKeySecrets: Handler<typeof listEndpoint> = async ({ db, services }) => {
  const { fingerprint, fingerprints } = services.keySecret
  const rows = await db
    .selectFrom('keySecrets as s')
    .select((eb) => [
      's.version as secretVersion',
      's.fingerprint',
      wireTime(eb.ref('s.since')).as('since'),
      sql<number>`(select count(*)::int from issued_keys k where k.secret_version = s.version and k.revoked_at is null)`.as(
        'keyCount',
      ),
    ])
    .orderBy('s.version', 'desc')
    .execute()
  const stateOf = (own: Buffer) =>
    own.equals(fingerprint) ? 'current' : fingerprints.some((one) => one.equals(own)) ? 'former' : 'gone'
  return { secrets: rows.map((row) => ({ ...row, state: stateOf(row.fingerprint) })) }
}

/**
 * Returns a page of the users who have keys of a secret that is not the current one, with the number of these keys and
 * the time of the newest; the users with the most keys first.
 */
export const listFormerKeyHolders: Handler<typeof holdersEndpoint> = async (call, page) => {
  const { db, language, services } = call
  const { totalCount, rows } = await pageOf(
    db,
    db
      .selectFrom((from) =>
        from
          .selectFrom('issuedKeys as k')
          .select([
            'k.userId',
            sql<number>`count(*)::int`.as('keys'),
            sql<Date>`max(k.issued_at)`.as('newest'),
          ])
          .where(
            'k.secretVersion',
            'in',
            from
              .selectFrom('keySecrets')
              .select('version')
              .where('fingerprint', '<>', services.keySecret.fingerprint),
          )
          .where('k.revokedAt', 'is', null)
          .groupBy('k.userId')
          .as('held'),
      )
      .innerJoin('users as u', 'u.id', 'held.userId')
      .select([
        'u.loginId as userId',
        'u.name',
        affiliationName('u.affiliationCode', language).as('affiliationName'),
        sql<string>`coalesce((select p.code from partners p where p.id = u.partner_id), '')`.as(
          'partnerCode',
        ),
        'held.keys as keyCount',
        wireTime(sql`held.newest`).as('issuedAt'),
      ])
      .orderBy('held.keys', 'desc')
      .orderBy('u.loginId'),
    page,
  )
  return { totalCount, users: rows }
}
