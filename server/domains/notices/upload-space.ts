import { refuse } from '../../../contract/errors.ts'
import type { Call } from '../../http/handler.ts'
import { withTimeout } from '../../services/with-timeout.ts'
import { incomingOf, type PendingUpload } from './upload-queries.ts'

/** Milliseconds to wait for the storage: less than a form may stall, because no bytes are read meanwhile. */
const STORAGE_TIMEOUT_MS = 5_000

/**
 * Refuses an upload unless the storage has space for it and for the missing bytes of earlier uploads. Reserves
 * nothing.
 * @param earlier uploads that were pending before this one, so that of two concurrent ones the later is refused
 * @param bytes size of the new upload
 * @throws {Refusal} STORAGE_FULL; UNAVAILABLE if the storage does not answer within STORAGE_TIMEOUT_MS
 */
export async function checkUploadSpace(
  { db, services: { storage } }: Pick<Call, 'db' | 'services'>,
  earlier: readonly PendingUpload[],
  bytes: number,
): Promise<void> {
  const freeBytes = async () => {
    const free = await storage.room()
    if (free === Infinity) return free
    const missing = await Promise.all(
      earlier.map(async (row) => Math.max(0, row.bytes - (await storage.received(incomingOf(db, row))))),
    )
    // Read last, so that bytes that arrive meanwhile are subtracted twice rather than never.
    return (await storage.room()) - missing.reduce((sum, one) => sum + one, 0)
  }
  if ((await storageAnswer(freeBytes())) < bytes) refuse('STORAGE_FULL')
}

/**
 * Waits for the answer of the storage. A folder of another machine hangs while that machine is unavailable.
 * @throws {Refusal} UNAVAILABLE after a timeout
 */
export function storageAnswer<T>(answer: Promise<T>, timeoutMs = STORAGE_TIMEOUT_MS): Promise<T> {
  return withTimeout(answer, timeoutMs, () => refuse('UNAVAILABLE', { retryAfterSeconds: 5 }))
}
