import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  sql,
  type Transaction,
} from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import { camelCaseNames } from './column-names.ts'
import { openPool } from './pool.ts'
import type { Database } from './types.ts'

/** Most concurrent long reads of a server. Each holds a connection, and uses a core while it writes its file. */
export const LONG_READS_AT_ONCE = 2

/** Snapshot of the database, for as long as needed. */
export interface Snapshot {
  /** Read-only queries; `.stream()` reads them through a cursor. */
  tx: Transaction<Database>
  /** Ends the snapshot and releases the connection. Must be called once, after the streams on it have ended. */
  end: () => Promise<void>
}

/** Pool of reads that may take minutes, such as an export of all rows over a slow line. */
export interface LongReads {
  /** Starts a snapshot. Waits while all LONG_READS_AT_ONCE connections are in use. */
  begin(): Promise<Snapshot>
  /** Ends the pool when all snapshots have ended. */
  close(): Promise<void>
}

/**
 * Opens the pool of long reads. Its connections have no time limit and are separate from those of calls. The first
 * connection is opened when it is needed.
 */
export function openLongReads(connection: pg.PoolConfig, onError: (error: Error) => void): LongReads {
  const pool = openPool(
    {
      application_name: 'maru long reads',
      // Detects within minutes, not two hours, that a database has vanished silently.
      keepAliveInitialDelayMillis: 10_000,
      ...connection,
      statement_timeout: 0,
      max: LONG_READS_AT_ONCE,
      // The time limit of pg runs from the opening of a cursor to its end.
      query_timeout: 0,
    },
    onError,
  )
  return {
    begin: async () => snapshotOn(await pool.connect()),
    close: () => pool.end(),
  }
}

/**
 * Starts a snapshot on one connection, which it releases at the end. If the connection breaks, the reader gets an error, and
 * closing a cursor does not wait indefinitely.
 */
async function snapshotOn(client: pg.PoolClient): Promise<Snapshot> {
  const ended = Promise.withResolvers<void>()
  client.once('end', ended.resolve)
  // A connection that cannot roll back is closed; nothing was written.
  const giveBack = (failure?: Error) => {
    client.off('end', ended.resolve)
    client.release(failure)
  }
  class EndingCursor extends Cursor {
    override close(): Promise<void>
    override close(callback: (error: Error) => void): undefined
    override close(callback?: (error: Error) => void): Promise<void> | undefined {
      return callback ? super.close(callback) : Promise.race([super.close(), ended.promise])
    }
  }
  // The connection must be released, whatever state its transaction is in.
  const lent = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect: () => Promise.resolve(lent), end: () => Promise.resolve() } as PostgresPool,
      cursor: EndingCursor,
    }),
    plugins: [camelCaseNames],
  })
  try {
    const tx = await db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute()
    // Limits that are set in the database are meant for calls, not for this.
    await sql`select set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`.execute(tx)
    return {
      tx,
      end: () =>
        tx
          .rollback()
          .execute()
          .then(() => giveBack(), giveBack),
    }
  } catch (error) {
    giveBack(error as Error)
    throw error
  }
}
