import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { StartRefusal } from '../start-refusal.ts'
import { type LongReads, openLongReads } from './long-reads.ts'
import { openPool } from './pool.ts'
import type { Database } from './types.ts'

// A date is a calendar day: as a JavaScript Date it would shift with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** An open database: Kysely for the queries, the pool for what needs the bare driver. */
export interface OpenDatabase {
  db: Kysely<Database>
  pool: pg.Pool
  /** For what takes longer than a call may. */
  longReads: LongReads
  close(): Promise<void>
}

/** For work without a time limit: a migration, and waiting for another server's. */
export const NO_TIME_LIMIT: pg.PoolConfig = { max: 1, statement_timeout: 0, query_timeout: 0 }

/**
 * Opens a pool on PostgreSQL ≥ 15.
 * @param connection a pg configuration: DATABASE_URL as `connectionString`, or the embedded server's socket
 * @param onError told of an idle connection that broke; the pool replaces it
 * @throws {StartRefusal} when the server is too old or not in UTF-8; what pg throws when it cannot be reached
 */
export async function openDatabase(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  const pool = openPool(
    {
      max: 20,
      application_name: 'maru',
      // The server gives up on a statement; where the server itself has vanished, this side does.
      statement_timeout: 60_000,
      query_timeout: 65_000,
      ...connection,
    },
    onError,
  )
  try {
    const { rows } = await pool.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    )
    const [server] = rows
    if (server === undefined || server.version < 150_000) {
      throw new StartRefusal(
        'DATABASE_URL: Maru needs PostgreSQL 15 or newer. Upgrade the server or use another one.',
      )
    }
    if (server.encoding !== 'UTF8') {
      throw new StartRefusal(
        `DATABASE_URL: the database's encoding is ${server.encoding}. Create it anew with ENCODING 'UTF8'.`,
      )
    }
  } catch (error) {
    await pool.end()
    throw error
  }
  const longReads = openLongReads(connection, onError)
  return {
    db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }),
    pool,
    longReads,
    async close() {
      await Promise.all([pool.end(), longReads.close()])
    },
  }
}
