import { setTimeout as sleep } from 'node:timers/promises'
import { refuse } from '../../../contract/errors.ts'
import type { Call } from '../../http/handler.ts'
import { incomingOf, type OnTheWay } from './upload-queries.ts'

// Less than a form may stand still, whose bytes are not read while the storage is asked.
const PATIENCE_MS = 5_000

/**
 * Makes sure that there is room for an upload beside what is still to come of others.
 * @param earlier those that were on the way when it was put on record: of two that begin at once the later one is refused
 * @throws {Refusal} STORAGE_FULL, and UNAVAILABLE when the storage does not answer
 */
export async function checkRoom(
  { db, services: { storage } }: Pick<Call, 'db' | 'services'>,
  earlier: readonly OnTheWay[],
  bytes: number,
): Promise<void> {
  const left = async () => {
    const free = await storage.room()
    if (free === Infinity) return free
    const missing = await Promise.all(
      earlier.map(async (row) => Math.max(0, row.bytes - (await storage.received(incomingOf(db, row))))),
    )
    // Asked last: what arrives between the two counts twice, and not never.
    return (await storage.room()) - missing.reduce((sum, one) => sum + one, 0)
  }
  if ((await inTime(left())) < bytes) refuse('STORAGE_FULL')
}

/**
 * The storage's answer, which may be long in coming: the folder of another machine hangs as long as that is away.
 * @throws {Refusal} UNAVAILABLE when it does not come in time
 */
export async function inTime<T>(answer: Promise<T>, ms = PATIENCE_MS): Promise<T> {
  const come = new AbortController()
  const late = sleep(ms, undefined, { signal: come.signal }).then(() =>
    refuse('UNAVAILABLE', { retryAfterSeconds: 5 }),
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    come.abort()
  }
}
