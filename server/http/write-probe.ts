import type pg from 'pg'
import { onOneConnection } from '../db/one-connection.ts'
import type { Room } from '../services/room.ts'

const EVERY_MS = 60_000

/** More than the pages of a table hold without growing. */
const PROBE = "insert into room_probe (filler) values (repeat('m', 16384)::bytea)"

class NoRoomError extends Error {
  readonly code = 'ENOSPC'
}

/**
 * Makes the check that the database takes what is written (rules/running#health). A small write finds room long after tables have
 * none to grow, so that once a minute, and while there was none, a row is written that needs it, and taken back.
 */
export function createWriteProbe(pool: pg.Pool, room: Room): () => Promise<void> {
  let dueAt = 0
  return async () => {
    if (await room.isLow()) throw new NoRoomError('the disk of the database is nearly full')
    if (Date.now() < dueAt) {
      await pool.query(
        'insert into heartbeat default values on conflict (id) do update set written_at = now()',
      )
      return
    }
    await onOneConnection(pool, async (client) => {
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
