import type pg from 'pg'
import { withConnection } from '../../db/one-connection.ts'
import type { DiskSpace } from '../../services/disk-space.ts'

/** Milliseconds after which the check inserts a row again that makes a table grow. */
const EVERY_MS = 60_000

/** SQL statement that inserts more bytes than the pages of the table hold, so that the table has to grow. */
const PROBE = "insert into room_probe (filler) values (repeat('m', 16384)::bytea)"

/** Error that `isDiskFull` recognizes by its code. */
class DiskFullError extends Error {
  readonly code = 'ENOSPC'
}

/**
 * Creates the check that the database accepts writes (rules/running#health); it rejects if it does not, or if the disk is nearly
 * full. A small write still fits long after tables can no longer grow. So once a minute, and until it succeeds, the check inserts
 * a row that makes a table grow, and rolls it back.
 */
export function createWriteProbe(pool: pg.Pool, diskSpace: DiskSpace): () => Promise<void> {
  let dueAt = 0
  return async () => {
    if (await diskSpace.isLow()) throw new DiskFullError('the disk of the database is nearly full')
    if (Date.now() < dueAt) {
      await pool.query(
        'insert into heartbeat default values on conflict (id) do update set written_at = now()',
      )
      return
    }
    await withConnection(pool, async (client) => {
      await client.query('begin')
      try {
        await client.query(PROBE)
      } finally {
        await client.query('rollback')
      }
    })
    dueAt = Date.now() + EVERY_MS
  }
}
