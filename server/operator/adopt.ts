import type { OpenDatabase } from '../db/open.ts'
import { adoptStorage } from '../services/storage/pairing.ts'
import type { Storage } from '../services/storage.ts'
import { StartRefusal } from '../start-refusal.ts'

/**
 * Writes down an operator's decision that a database and a storage belong together (rules/files#storage-mark).
 * @throws {StartRefusal} where the storage is another installation's
 */
export async function adoptForOperator(
  { pool }: Pick<OpenDatabase, 'pool'>,
  storage: Storage,
  say: (line: string) => void,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('select id from installation')
  const own = rows[0]?.id ?? ''
  if ((await storage.owner(own)) !== own)
    throw new StartRefusal(
      'The storage holds the files of another installation and cannot be adopted. Give this one a STORAGE_URL of its own.',
    )
  await adoptStorage(pool, storage)
  say(
    'Database and storage belong together from now on. Files that no row names go into quarantine with the next sweep, within the hour.',
  )
}
