import { type Kysely, sql, type Transaction } from 'kysely'
import { StartRefusal } from '../../start-refusal.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import type { Database } from '../../db/types.ts'

/** A secret that keys need and that is not there: which one, and how many keys. */
interface Missing {
  version: number
  keys: number
}

/** How many keys of a secret are not revoked. */
async function countLive(db: Kysely<Database>, version: number): Promise<number> {
  const { keys } = await db
    .selectFrom('issued_keys')
    .select(sql<number>`count(*)::int`.as('keys'))
    .where('secret_version', '=', version)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return keys
}

/** The secrets of this database, as it tells them apart. */
const versionsOf = (db: Kysely<Database>) => db.selectFrom('key_secrets').orderBy('version')

/** Those that live keys need and that are neither current nor former here. */
async function missingOf(db: Kysely<Database>, { fingerprints }: KeySecret): Promise<Missing[]> {
  const needed = await versionsOf(db)
    .select(['version', 'fingerprint'])
    .where('forgotten_at', 'is', null)
    .execute()
  const missing: Missing[] = []
  for (const { version, fingerprint } of needed) {
    if (fingerprints.some((own) => own.equals(fingerprint))) continue
    const keys = await countLive(db, version)
    if (keys > 0) missing.push({ version, keys })
  }
  return missing
}

/** Whether any secret that is given here is one of this database's. */
async function knowsAny(db: Kysely<Database>, { fingerprints }: KeySecret): Promise<boolean> {
  const row = await db
    .selectFrom('key_secrets')
    .select('version')
    .where('fingerprint', 'in', [...fingerprints])
    .executeTakeFirst()
  return row !== undefined
}

async function refusalOf(db: Kysely<Database>, secret: KeySecret): Promise<string | undefined> {
  const missing = await missingOf(db, secret)
  if (missing.length === 0) return undefined
  const keys = missing.reduce((all, one) => all + one.keys, 0)
  const lost = 'Is it lost for good: npm run check -- --forget-key-secret.'
  if (await knowsAny(db, secret))
    return `KEY_SECRET_OLD lacks a former secret (version ${missing.map(({ version }) => version).join(', ')}) that ${keys} keys still need: without it none of them would be valid. Put it back until they are issued anew or revoked (/key/secrets lists whose they are). ${lost}`
  return `KEY_SECRET is not the one that the keys of this database were derived with, so none of them would be valid (${keys} that are not revoked). Give every server of one database the same KEY_SECRET (without it each keeps its own in DATA_DIR/key-secret: set KEY_SECRET to the content of that file of the first server). To change it, name the one before in KEY_SECRET_OLD. ${lost}`
}

/**
 * Looked at when a server starts.
 * @throws {StartRefusal} when live keys of this database were derived with a secret that is not given
 */
export async function checkKeySecret(db: Kysely<Database>, secret: KeySecret): Promise<void> {
  const refusal = await refusalOf(db, secret)
  if (refusal !== undefined) throw new StartRefusal(refusal)
}

/**
 * The version of the current secret, which the first key of it puts into the database, in the transaction that makes it.
 * @throws when another server has given the database a secret that this one does not know: no key is better than a dead one
 */
export async function bindKeySecret(tx: Transaction<Database>, secret: KeySecret): Promise<number> {
  const { fingerprint } = secret
  const known = () =>
    tx.selectFrom('key_secrets').select('version').where('fingerprint', '=', fingerprint).executeTakeFirst()
  const refusal = await refusalOf(tx, secret)
  if (refusal !== undefined) throw new Error(refusal)
  const before = await known()
  if (before !== undefined) return before.version
  await tx
    .insertInto('key_secrets')
    .values({ version: sql`(select coalesce(max(version), 0) + 1 from key_secrets)`, fingerprint })
    // Another process of the same secret was first; or one of another secret, of which the next look knows.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const bound = await known()
  if (bound === undefined) throw new Error((await refusalOf(tx, secret)) ?? 'The key secret cannot be bound.')
  return bound.version
}

/**
 * Gives up the secrets that live keys need and that nobody has any more: a start without them is no longer refused, and
 * their keys stay unknown until they are asked for again.
 * @returns how many keys that concerns
 */
export async function forgetKeySecrets(db: Kysely<Database>, secret: KeySecret): Promise<number> {
  const missing = await missingOf(db, secret)
  for (const { version } of missing)
    await db
      .updateTable('key_secrets')
      .set({ forgotten_at: sql`now()` })
      .where('version', '=', version)
      .execute()
  return missing.reduce((all, { keys }) => all + keys, 0)
}

/** The former secrets that live keys still need, and how many keys those are. */
export async function formerSecretsOf(db: Kysely<Database>, { fingerprint }: KeySecret): Promise<Missing[]> {
  const former = await versionsOf(db)
    .select('version')
    .where('fingerprint', '<>', fingerprint)
    .where('forgotten_at', 'is', null)
    .execute()
  const found: Missing[] = []
  for (const { version } of former) found.push({ version, keys: await countLive(db, version) })
  return found.filter(({ keys }) => keys > 0)
}

/** Counts the keys of former secrets that are not revoked, for the metric. */
export async function countFormerKeys(db: Kysely<Database>, { fingerprint }: KeySecret): Promise<void> {
  await db
    .updateTable('key_secrets')
    .set({
      live_keys: sql`case when fingerprint = ${fingerprint} then 0 else
        (select count(*) from issued_keys k where k.secret_version = key_secrets.version and k.revoked_at is null) end`,
    })
    .execute()
}
