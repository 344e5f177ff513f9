import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import { StartRefusal } from '../start-refusal.ts'
import { type LongReads, openLongReads } from './long-reads.ts'
import type { OpenDatabase } from './open.ts'
import { CALL_LIMITS, openPool } from './pool.ts'
import type { Database } from './types.ts'

/** What reads on a replica use instead of the primary's. */
export interface Reads {
  db: Kysely<Database>
  longReads: LongReads
}

/** A copy of the database that follows it, for what only reads (rules/running#read-replica, ADR 044). */
export interface Replica {
  /** Its connections once it holds everything that has been written until now; undefined when it does not in time. */
  caughtUp(): Promise<Reads | undefined>
  /** Takes note of an error of one of its queries: for a while nobody is sent there. */
  failed(error: unknown): void
  /**
   * @returns a line for the operator when it cannot be reached now; '' when all is well
   * @throws {StartRefusal} when it is of another database
   */
  check(): Promise<string>
  close(): Promise<void>
}

/** How long a call waits for the replica before the primary answers. */
const PATIENCE_MS = 500
const LOOK_EVERY_MS = 10
/** For how long nobody is sent to one that was away or late. */
const REST_MS = 5_000
/** And to one that follows nobody any more, as the remains of a failover. */
const LONG_REST_MS = 60_000

/**
 * Opens the pools of a replica; the first connection is made when it is needed.
 * @param primary whose writes it has to hold
 */
export function openReplica(
  connection: pg.PoolConfig,
  primary: Pick<OpenDatabase, 'pool' | 'longReads'>,
  logger: Logger,
): Replica {
  // That it is away is said once, by those who ask for it.
  const place = { ...connection, connectionTimeoutMillis: PATIENCE_MS }
  const pool = openPool({ application_name: 'maru reads', ...CALL_LIMITS, ...place }, () => {})
  const itsLongReads = openLongReads(place, () => {})
  const longReads: LongReads = {
    ...itsLongReads,
    begin: () =>
      itsLongReads.begin().catch((error: unknown) => {
        rest(error)
        return primary.longReads.begin()
      }),
  }
  const reads = { db: new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }), longReads }
  let restUntil = 0
  let isWell = true

  function rest(error?: unknown, forMs = REST_MS): undefined {
    restUntil = performance.now() + forMs
    if (isWell) logger.warn({ err: error }, 'the read replica is away or late: the primary answers')
    isWell = false
  }

  return {
    async caughtUp() {
      if (performance.now() < restUntil) return undefined
      // What was acknowledged to anybody, by whichever process, has been flushed.
      const { rows } = await primary.pool.query<{ lsn: string }>('select pg_current_wal_flush_lsn() as lsn')
      const lsn = rows[0]?.lsn
      try {
        for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS;) {
          const { follows, holds } = await ask(pool, lsn)
          if (!follows) return rest(new Error('it follows no primary'), LONG_REST_MS)
          if (holds) {
            if (!isWell) logger.info('the read replica is back')
            isWell = true
            return reads
          }
          await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
        }
        return rest()
      } catch (error) {
        return rest(error)
      }
    },
    failed: (error) => rest(error),
    async check() {
      try {
        const text = 'select id from installation'
        const [own, its] = await Promise.all([primary.pool.query(text), pool.query(text)])
        if (own.rows[0]?.id === its.rows[0]?.id) return ''
      } catch (error) {
        return `WARNING: DATABASE_READ_URL: the replica cannot be used now (${String(error)}); the primary answers until it can.`
      }
      throw new StartRefusal(
        'DATABASE_READ_URL: that is no replica of the database in DATABASE_URL. Correct it, or leave it out.',
      )
    },
    async close() {
      await Promise.all([pool.end(), longReads.close()])
    },
  }
}

/** Asks a replica how far it is; one that has vanished silently gives no answer. */
async function ask(pool: pg.Pool, lsn: string | undefined): Promise<{ follows: boolean; holds: boolean }> {
  const { rows } = await pool.query<{ follows: boolean; holds: boolean | null }>({
    text: 'select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() >= $1::pg_lsn as holds',
    values: [lsn],
    query_timeout: PATIENCE_MS,
  } as pg.QueryConfig)
  return { follows: rows[0]?.follows === true, holds: rows[0]?.holds === true }
}
