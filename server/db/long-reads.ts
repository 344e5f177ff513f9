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
import { openPool } from './pool.ts'
import type { Database } from './types.ts'

/** How many long reads one server does at once: each holds a connection, and a core while it writes its file. */
export const LONG_READS_AT_ONCE = 2

/** The database as it was at one moment, for as long as needed. */
export interface Snapshot {
  /** Its queries may be read with `.stream()`, through a cursor; nothing can be written. */
  tx: Transaction<Database>
  /** Gives the connection back; to be called once. Streams on it must have ended. */
  end: () => Promise<void>
}

/** Reads that may take minutes, such as an export of everything over a slow line. */
export interface LongReads {
  /** Waits while all connections are taken: who must not wait looks first. */
  begin(): Promise<Snapshot>
  close(): Promise<void>
}

/**
 * Opens long reads on connections of their own, which no time limit of a call cuts and which leave those of the calls
 * alone. The first connection is made when it is needed.
 */
export function openLongReads(connection: pg.PoolConfig, onError: (error: Error) => void): LongReads {
  const pool = openPool(
    {
      application_name: 'maru long reads',
      // A database that vanished silently is noticed within minutes, not after two hours.
      keepAliveInitialDelayMillis: 10_000,
      ...connection,
      statement_timeout: 0,
      max: LONG_READS_AT_ONCE,
      // pg counts its own limit from the opening of a cursor to its end.
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
 * Starts a snapshot on one connection. If the connection breaks, the reader gets an error, and closing a cursor does not wait
 * indefinitely.
 */
async function snapshotOn(client: pg.PoolClient): Promise<Snapshot> {
  const ended = Promise.withResolvers<void>()
  client.once('end', ended.resolve)
  // A connection that cannot roll back is dropped; nothing was written.
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
  // The connection has to be given back whatever has become of its transaction.
  const lent = { query: client.query.bind(client), release: () => {} } as PostgresPoolClient
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: { connect: () => Promise.resolve(lent), end: () => Promise.resolve() } as PostgresPool,
      cursor: EndingCursor,
    }),
  })
  try {
    const tx = await db
      .startTransaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute()
    // Limits set in the database are meant for calls, not for this.
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
