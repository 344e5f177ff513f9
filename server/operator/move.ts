import type { OpenDatabase } from '../db/open.ts'
import { databaseIdentity, pairStorageWith, getPairingState } from '../services/storage/pairing.ts'
import type { Storage } from '../services/storage.ts'
import { StartRefusal } from '../start-refusal.ts'
import { copyDatabase } from './copy.ts'
import { countServers } from './open.ts'

/**
 * Copies a database into another, empty one, while no server runs, because rows that are written meanwhile would be lost. The
 * original stays unchanged, except that the storage is then paired with the copy.
 * @returns the number of rows
 * @throws {StartRefusal} if a Maru is connected, or the other database contains users
 */
export async function move(from: OpenDatabase, to: OpenDatabase, storage: Storage): Promise<number> {
  for (const { pool } of [from, to]) {
    if ((await countServers(pool)) > 0)
      throw new StartRefusal(
        'A Maru is running on it. Stop it first: what it writes while its database moves would be lost.',
      )
  }
  const { rows } = await to.pool.query<{ exists: boolean }>(
    `select to_regclass('users') is not null as exists`,
  )
  if (rows[0]?.exists === true && (await to.pool.query('select from users limit 1')).rowCount !== 0)
    throw new StartRefusal('The database to move to holds people already. Name an empty one.')

  const isKnown = (await getPairingState(from.pool, storage).catch(() => 'new')) === 'agrees'
  const moved = await copyDatabase(from, to)
  if (isKnown) await pairStorageWith(storage, await databaseIdentity(to.pool))
  return moved
}
