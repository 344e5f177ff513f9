import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { LONG_READS_AT_ONCE, type LongReads, type Snapshot } from '../../db/long-reads.ts'

const RETRY_AFTER_SECONDS = 30

/** Who exports at the moment, of each server. */
const exporting = new WeakMap<LongReads, Set<string>>()

/**
 * Begins an export: as many at once as a server has connections for them, and one for each person, so that nobody takes
 * the places of all.
 * @param userId who exports
 * @returns the list as it is now; its `end` may be called twice
 * @throws {Refusal} EXPORT_BUSY while too many are under way, or one of this person
 */
export async function takeTurn(longReads: LongReads, userId: string): Promise<Snapshot> {
  const people = exporting.get(longReads) ?? new Set()
  exporting.set(longReads, people)
  if (people.size >= LONG_READS_AT_ONCE || people.has(userId))
    refuse('EXPORT_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  people.add(userId)
  let snapshot: Snapshot | undefined
  try {
    snapshot = await longReads.begin()
    if (!(await isOnly(snapshot, userId))) refuse('EXPORT_BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS })
  } catch (error) {
    await snapshot?.end()
    people.delete(userId)
    throw error
  }
  const { tx, end } = snapshot
  let ended: Promise<void> | undefined
  return { tx, end: () => (ended ??= end().finally(() => people.delete(userId))) }
}

/** Takes a lock that goes with the snapshot: a person's other exports may be those of another process. */
async function isOnly({ tx }: Snapshot, userId: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`export ${userId}`}, 0)) as mine`.execute(tx)
  return rows[0]?.mine === true
}
