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
  try {
    const snapshot = await longReads.begin()
    let ended: Promise<void> | undefined
    return { tx: snapshot.tx, end: () => (ended ??= snapshot.end().finally(() => people.delete(userId))) }
  } catch (error) {
    people.delete(userId)
    throw error
  }
}
