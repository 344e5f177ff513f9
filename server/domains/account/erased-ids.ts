// Not the cipher of the wire.
// oxlint-disable-next-line no-restricted-imports
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type ErrorCode, refuse } from '../../../contract/errors.ts'
import type { Db } from '../../db/database.ts'
import { reencrypt, seal, type SealKeys, unseal } from '../../services/encryption.ts'

/** Purpose to which the encryption binds the keys of the digests. */
const ABOUT = 'login-id-key'

/** Pattern of salted digests of versions that had no key: `#` and 64 hexadecimal digits. */
const UNKEYED = /^#[0-9a-f]{64}$/
/** Random bytes of a key of the digests. */
const KEY_BYTES = 32

/** Returns the outer digest, by a key. It starts with `##`, and no login ID contains `#`. */
const keyed = (key: string, salted: string) =>
  `##${createHmac('sha256', Buffer.from(key, 'base64')).update(salted).digest('base64url')}`

/**
 * Returns the inner digest of an ID, salted with the installation. Without a key, so that rows of earlier versions can
 * be given a key without their ID.
 */
const salted = (installation: string, loginId: string) =>
  `#${createHash('sha256').update(`${installation} ${loginId}`).digest('hex')}`

/**
 * Returns the ID of the installation, and in `opened` the decrypted keys of the digests, newest first. Leaves out keys
 * that no known key secret decrypts.
 */
async function readKeys(db: Db, keys: SealKeys) {
  const { rows } = await sql<{ installation: string; sealed: Buffer | null }>`
    select i.id::text as installation, k.sealed from installation i left join login_id_keys k on true
    order by k.id desc`.execute(db)
  const opened = rows.flatMap(({ sealed }) => (sealed === null ? [] : (unseal(keys, sealed, ABOUT) ?? [])))
  return { installation: rows[0]?.installation ?? '', opened }
}

/**
 * Returns the newest key, or creates and stores one. Two servers that create one each leave two, which are both valid.
 */
async function currentKey(db: Db, keys: SealKeys, [newest]: readonly string[]): Promise<string> {
  if (newest !== undefined) return newest
  const key = randomBytes(KEY_BYTES).toString('base64')
  await db
    .insertInto('loginIdKeys')
    .values({ sealed: seal(keys, key, ABOUT) })
    .execute()
  return key
}

/** Replaces the login IDs of erased accounts with digests that only a holder of the key secret can compute (design/erasure#ids-of-erased-accounts). */
export async function digestLoginIds(tx: Db, keys: SealKeys, userIds: readonly string[]): Promise<void> {
  const { installation, opened } = await readKeys(tx, keys)
  const key = await currentKey(tx, keys, opened)
  const rows = await tx
    .selectFrom('loginIds')
    .select('loginId')
    .where('userId', '=', sql<string>`any(${[...userIds]}::bigint[])`)
    .execute()
  await replaceIds(
    tx,
    rows.map(({ loginId: id }) => [id, keyed(key, salted(installation, id))]),
  )
}

/**
 * Replaces values in `login_ids`.
 * @param pairs the value before and the value after
 */
async function replaceIds(db: Db, pairs: readonly (readonly [string, string])[]): Promise<void> {
  await sql`update login_ids set login_id = one.after
    from unnest(${pairs.map(([before]) => before)}::text[], ${pairs.map(([, after]) => after)}::text[]) as one (before, after)
    where login_id = one.before`.execute(db)
}

/** Returns those of these login IDs that an erased account has or had. Misses IDs whose key no known key secret decrypts. */
export async function findErasedIds(db: Db, keys: SealKeys, loginIds: readonly string[]): Promise<string[]> {
  const { installation, opened } = await readKeys(db, keys)
  const idOf = new Map(
    opened.flatMap((key) => loginIds.map((id) => [keyed(key, salted(installation, id)), id] as const)),
  )
  if (idOf.size === 0) return []
  const rows = await db
    .selectFrom('loginIds')
    .select('loginId')
    .where('loginId', '=', sql<string>`any(${[...idOf.keys()]}::text[])`)
    .execute()
  return rows.flatMap(({ loginId: digest }) => idOf.get(digest) ?? [])
}

/**
 * Refuses login IDs that an erased account had. Call it after the row with the ID is written: the unique row in
 * `login_ids` makes an erasure of the same ID come before or after, so that this query sees its digest.
 * @throws {Refusal} `code` if an erased account had one
 */
export async function refuseErasedIds(
  tx: Db,
  keys: SealKeys,
  loginIds: readonly string[],
  code: ErrorCode = 'USER_ID_TAKEN',
): Promise<void> {
  if ((await findErasedIds(tx, keys, loginIds)).length > 0) refuse(code)
}

/**
 * Encrypts the keys with the current key secret and gives a key to digests of versions that had none. Runs at every
 * start.
 * @returns the number of keys that no known key secret decrypts: IDs that were erased with them can be taken again
 */
export async function renewErasedIds(db: Db, keys: SealKeys): Promise<number> {
  let lost = 0
  for (const { id, sealed } of await db.selectFrom('loginIdKeys').select(['id', 'sealed']).execute()) {
    const next = reencrypt(keys, sealed, ABOUT)
    if (next === null) lost += 1
    else if (next) await db.updateTable('loginIdKeys').set({ sealed: next }).where('id', '=', id).execute()
  }
  await db.transaction().execute(async (tx) => {
    const rows = await tx
      .selectFrom('loginIds')
      .select('loginId')
      .where('loginId', '~', UNKEYED.source)
      .execute()
    if (rows.length === 0) return
    const key = await currentKey(tx, keys, (await readKeys(tx, keys)).opened)
    await replaceIds(
      tx,
      rows.map(({ loginId: digest }) => [digest, keyed(key, digest)]),
    )
  })
  return lost
}
