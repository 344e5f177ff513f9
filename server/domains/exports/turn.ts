import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { LONG_READS_AT_ONCE, type LongReads, type Snapshot } from '../../db/long-reads.ts'

const RETRY_AFTER_SECONDS = 30

/** An export that has begun. */
export interface Turn extends Snapshot {
  /** Lets the user begin another export: the file is sent, or nobody waits for it. May be called twice. */
  release: () => void
}

/** The exports of each server: how many read the database, and whose files are not sent yet. */
const exporting = new WeakMap<LongReads, { reading: number; users: Set<string> }>()

/**
 * Begins an export: as many at once as a server has connections for them, and one for each person. A connection is held while the
 * database is read, not while the file is sent; so nobody who reads slowly takes the slots of others.
 * @param userId who exports
 * @returns the list as it is now; its `end` may be called twice
 * @throws {Refusal} EXPORT_BUSY while too many are under way, or one of this person
 */
export async function takeTurn(longReads: LongReads, userId: string): Promise<Turn> {
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

/** Takes a lock that goes with the snapshot: a person's other exports may be those of another process. */
async function isOnly({ tx }: Snapshot, userId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`export ${userId}`}, 0)) as mine`.execute(tx)
  return rows[0]?.mine === true
}
