import type { Readable } from 'node:stream'
import { migrateTo } from '../db/migrate.ts'
import { onOneConnection } from '../db/one-connection.ts'
import type { OpenDatabase } from '../db/open.ts'
import { moveHome, standingOf } from '../services/storage/mark.ts'
import type { Storage } from '../services/storage.ts'
import { StartRefusal } from '../start-refusal.ts'
import { countServers } from './open.ts'
import { listSequences, listTables, rowsOf, writeTables } from './tables.ts'

/**
 * Copies a database into another, empty one, while nobody is served: what is written meanwhile would stay behind. The first one
 * is left as it is, but that the storage knows the other one from then on.
 * @returns how many rows there are
 * @throws {StartRefusal} while a Maru is connected, and when the other one holds people
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

  const isKnown = (await standingOf(from.pool, storage).catch(() => 'new')) === 'agrees'
  const moved = await onOneConnection(from.pool, async (source) => {
    await source.query('begin isolation level repeatable read, read only')
    try {
      const { rows: run } = await source.query<{ name: string }>('select name from migrations')
      await migrateTo(
        to.db,
        run.map(({ name }) => name),
      )
      const copied: (Readable & { rowCount: number })[] = []
      const tables = await listTables(source)
      const sequences = await listSequences(source)
      await onOneConnection(to.pool, (target) =>
        writeTables(target, tables, sequences, (table) => {
          const rowsOfIt = rowsOf(source, table)
          copied.push(rowsOfIt)
          return rowsOfIt
        }),
      )
      return copied.reduce((all, { rowCount }) => all + rowCount, 0)
    } finally {
      await source.query('rollback')
    }
  })
  if (isKnown) await moveHome(storage, to.pool)
  return moved
}
