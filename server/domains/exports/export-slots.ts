import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { LONG_READS_AT_ONCE, type LongReads, type Snapshot } from '../../db/long-reads.ts'

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 30

/** Slot of a running export of a user, with its snapshot of the database. */
export interface ExportSlot extends Snapshot {
  /** Allows the user the next export. Call it when the file is sent or the client has left; a second call has no effect. */
  release: () => void
}

/** Running exports of each server: how many read the database, and the users whose files are not completely sent. */
const exporting = new WeakMap<LongReads, { reading: number; users: Set<string> }>()

/**
 * Takes a slot for an export and opens its snapshot of the database. A server has as many slots as connections for
 * long reads, and a user one across all servers. `end` frees the connection for other exports as soon as the
 * database is read; `release` allows the user the next export once the file is sent.
 * @param userId users.id of the user who exports
 * @returns a snapshot; its `end` may be called twice
 * @throws {Refusal} EXPORT_BUSY if no slot is free, or this user has one
 */
export async function takeExportSlot(longReads: LongReads, userId: string): Promise<ExportSlot> {
  const busy = exporting.get(longReads) ?? { reading: 0, users: new Set() }
  exporting.set(longReads, busy)
  if (busy.reading >= LONG_READS_AT_ONCE || busy.users.has(userId))
    refuse('EXPORT_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  busy.users.add(userId)
  busy.reading += 1
  let snapshot: Snapshot | undefined
  try {
    snapshot = await longReads.begin()
    if (!(await isOnly(snapshot, userId))) refuse('EXPORT_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  } catch (error) {
    await snapshot?.end()
    busy.reading -= 1
    busy.users.delete(userId)
    throw error
  }
  const { tx, end } = snapshot
  let ended: Promise<void> | undefined
  let isReleased = false
  return {
    tx,
    end: () => (ended ??= end().finally(() => (busy.reading -= 1))),
    release() {
      // A second call must not release the next export of the same user.
      if (!isReleased) busy.users.delete(userId)
      isReleased = true
    },
  }
}

/**
 * Locks the user's exports in the database until the snapshot ends, because another process may run one of the same user.
 * @returns false if another process holds the lock
 */
async function isOnly({ tx }: Snapshot, userId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`export ${userId}`}, 0)) as mine`.execute(tx)
  return rows[0]?.mine === true
}
