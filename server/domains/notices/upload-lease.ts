import type { Kysely } from 'kysely'
import { randomUUID } from 'node:crypto'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import { BrokenConnection } from '../../http/failure.ts'
import type { Services } from '../../http/handler.ts'
import type { Storage } from '../../services/storage.ts'
import * as queries from './upload-queries.ts'

const RENEW_EVERY_MS = 1_000

// Less than the lease: a writer stops before somebody else may believe it gone.
const SURE_FOR_MS = 7_000

/**
 * Does some work on an upload while nobody else does, on whichever server.
 * @param work its signal says that it has to stop: somebody else wants the upload, or it was given up
 * @throws {Refusal} UPLOAD_BUSY while somebody else works on it, who is asked to stop
 */
export async function holding<T>(
  { db, services }: { db: Kysely<Database>; services: Pick<Services, 'storage'> },
  id: string,
  work: (signal: AbortSignal, row: queries.UploadRow) => Promise<T>,
): Promise<T> {
  const holder = randomUUID()
  const row = (await queries.takeUpload(db, id, holder)) ?? refuse('UPLOAD_BUSY')
  const stop = new AbortController()
  let renewedAt = Date.now()
  let renewing: Promise<void> = Promise.resolve()
  const renew = async () => {
    try {
      if (await queries.renewLease(db, id, holder)) renewedAt = Date.now()
      else stop.abort()
    } catch (error) {
      // The database may be back in a second; until the lease runs out nobody else writes.
      if (Date.now() - renewedAt > SURE_FOR_MS) stop.abort(error)
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, RENEW_EVERY_MS)
  try {
    return await work(stop.signal, row)
  } finally {
    clearInterval(timer)
    await renewing
    if (await queries.releaseUpload(db, id, holder)) await dropUpload(db, services.storage, id)
  }
}

/**
 * A stream with an end: not more than `max` bytes, and no further than the signal lets it.
 * @throws {Refusal} FILE_TOO_LARGE with the first byte too many
 */
export async function* limited(
  content: AsyncIterable<Uint8Array>,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = content[Symbol.asyncIterator]()
  let total = 0
  let wake: ((error: Error) => void) | undefined
  const stop = () => wake?.(new BrokenConnection('Another request goes on with this upload'))
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        wake = reject
        if (signal.aborted) stop()
        else source.next().then(resolve, reject)
      })
      if (next.done === true) return
      total += next.value.length
      if (total > max) refuse('FILE_TOO_LARGE')
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not waited for: it may wait itself for bytes that never come.
    void source.return?.()
  }
}

/**
 * Removes the bytes, then the row that named them: the other way round a crash would leave bytes without a name.
 * Of an upload that is attached nothing is removed.
 */
export async function dropUpload(db: Kysely<Database>, storage: Storage, id: string): Promise<void> {
  const row = await queries.giveUp(db, id)
  if (row === undefined) return
  await storage.abandon(queries.incomingOf(db, row))
  await queries.forgetUpload(db, id)
}
