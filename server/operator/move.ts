import type { OpenDatabase } from '../db/open.ts'
import { databaseIdentity, pairStorageWith, getPairingState } from '../services/storage/pairing.ts'
import type { Storage } from '../services/storage.ts'
import { StartRefusal } from '../startup-error.ts'
import { copyDatabase } from './copy-database.ts'
import { hasUsers, refuseServers } from './open.ts'

/**
 * Copies a database into another, empty one, while no server runs, because rows that are written during the copy would be lost.
 * The original stays unchanged. If it was paired with the storage, the copy is paired instead.
 * @returns the number of rows
 * @throws {StartRefusal} if a Maru runs on either database, or the other database contains users
 */
export async function move(from: OpenDatabase, to: OpenDatabase, storage: Storage): Promise<number> {
  for (const database of [from, to]) await refuseServers(database)
  if (await hasUsers(to.pool))
    throw new StartRefusal('The target database already contains users. Name an empty database.')

  const isKnown = (await getPairingState(from.pool, storage).catch(() => 'new')) === 'agrees'
  const moved = await copyDatabase(from, to)
  if (isKnown) await pairStorageWith(storage, await databaseIdentity(to.pool))
  return moved
}
