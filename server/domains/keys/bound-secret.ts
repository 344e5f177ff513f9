import type { Kysely, Transaction } from 'kysely'
import { StartRefusal } from '../../start-refusal.ts'
import type { KeySecret } from '../../services/key-secret.ts'
import type { Database } from '../../db/types.ts'

const EXPLANATION =
  'KEY_SECRET is not the one that the keys of this database were derived with, so none of them would be valid. Give every server of one database the same KEY_SECRET (without it each keeps its own in DATA_DIR/key-secret: set KEY_SECRET to the content of that file of the first server).'

/** Whether this database's keys come from this secret; true before the first key. */
async function isSecretOf(db: Kysely<Database>, secret: KeySecret): Promise<boolean> {
  const row = await db.selectFrom('key_secret').select('fingerprint').executeTakeFirst()
  return row === undefined || row.fingerprint.equals(secret.fingerprint)
}

/**
 * Looked at when a server starts.
 * @throws {StartRefusal} when the keys of this database were derived with another secret
 */
export async function checkKeySecret(db: Kysely<Database>, secret: KeySecret): Promise<void> {
  if (!(await isSecretOf(db, secret))) throw new StartRefusal(EXPLANATION)
}

/**
 * Binds the database to the secret with its first key, in the transaction that makes it.
 * @throws when another server has bound it to another secret since this one started: no key is better than a dead one
 */
export async function bindKeySecret(tx: Transaction<Database>, secret: KeySecret): Promise<void> {
  await tx
    .insertInto('key_secret')
    .values({ fingerprint: secret.fingerprint })
    .onConflict((conflict) => conflict.column('only_one').doNothing())
    .execute()
  if (!(await isSecretOf(tx, secret))) throw new Error(EXPLANATION)
}
