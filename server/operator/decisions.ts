import type { Config } from '../config.ts'
import type { OpenDatabase } from '../db/open.ts'
import { forgetKeySecrets } from '../domains/keys/index.ts'
import { openKeySecret } from '../services/key-secret.ts'
import { adoptStorage } from '../services/storage/pairing.ts'
import type { Storage } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'

/**
 * Pairs a database with a storage, because an operator has decided that they belong together (rules/files#storage-mark). Accepts
 * all files in the storage: the next sweep moves those that no row names into quarantine. Prints this.
 * @throws {StartRefusal} if the storage belongs to another installation
 */
export async function adoptStorageForOperator(
  { pool }: Pick<OpenDatabase, 'pool'>,
  storage: Storage,
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  const own = rows[0]?.id ?? ''
  if ((await storage.owner(own)) !== own)
    throw new StartRefusal(
      'The storage contains the files of another installation and cannot be adopted. Set STORAGE_URL to a separate place for this installation.',
    )
  await adoptStorage(pool, storage)
  say(
    'Database and storage belong together from now on. Files that no row names go into quarantine with the next sweep, within the hour.',
  )
}

/**
 * Marks as lost the key secrets that issued keys need and this server does not have, because an operator has decided so
 * (rules/keys#changed-secret). Maru then starts without them. Prints how many keys are invalid until they are issued again.
 */
export async function forgetKeySecretsForOperator(
  { db }: Pick<OpenDatabase, 'db'>,
  config: Config,
  say: (line: string) => void,
): Promise<void> {
  const keys = await forgetKeySecrets(db, openKeySecret(config))
  say(
    keys === 0
      ? 'No key needs a secret that is not there: nothing is forgotten.'
      : `${keys} keys are unknown from now on, until their programs ask for them again. With their secret in KEY_SECRET_OLD they would be good again.`,
  )
}
