import type { Readable } from 'node:stream'
import { migrateTo } from '../db/migrate.ts'
import { withConnection } from '../db/one-connection.ts'
import type { OpenDatabase } from '../db/open.ts'
import { listSequences, listTables, rowsOf, writeTables } from './tables.ts'

/**
 * Copies every row and sequence of a database into another one, which gets the same schema and loses its own rows: check first
 * that it is empty. All data is from one snapshot and written in one transaction. The PostgreSQL versions may differ.
 * @returns the number of rows
 * @throws {Error} if a table of the copy has a different number of rows than were read
 */
export function copyDatabase(from: OpenDatabase, to: OpenDatabase): Promise<number> {
  return withConnection(from.pool, async (source) => {
    await source.query('begin isolation level repeatable read, read only')
    try {
      const { rows: run } = await source.query<{ name: string }>('select name from migrations')
      await migrateTo(
        to.db,
        run.map(({ name }) => name),
      )
      const read = new Map<string, Readable & { rowCount: number }>()
      const tables = await listTables(source)
      const sequences = await listSequences(source)
      return await withConnection(to.pool, async (target) => {
        await writeTables(target, tables, sequences, (table) => {
          const rows = rowsOf(source, table)
          read.set(table.name, rows)
          return rows
        })
        let all = 0
        for (const [name, { rowCount }] of read) {
          const { rows } = await target.query<{ count: string }>(`select count(*) from "${name}"`)
          if (Number(rows[0]?.count) !== rowCount)
            throw new Error(`${name}: ${rowCount} rows were read, and ${rows[0]?.count} are there`)
          all += rowCount
        }
        return all
      })
    } finally {
      await source.query('rollback')
    }
  })
}
