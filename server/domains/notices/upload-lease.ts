import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import { BrokenConnection } from '../../http/failure.ts'
import type { Services } from '../../http/handler.ts'
import { dropUpload, uploadsOf, type UploadRef, type UploadRow } from './upload-queries.ts'

// How long a lease lasts without being renewed; a writer that cannot renew it stops before that.
const LEASE_SECONDS = 10
const SURE_FOR_MS = 7_000
const RENEW_EVERY_MS = 1_000

/**
 * Does some work on an upload of a person's while nobody else does, on whichever server.
 * @param work its signal says that it has to stop: somebody else wants the upload, or it was cancelled
 * @throws {Refusal} UPLOAD_NOT_FOUND, and UPLOAD_BUSY while somebody else works on it, who is asked to stop
 */
export async function holding<T>(
  { db, services: { storage } }: { db: Kysely<Database>; services: Pick<Services, 'storage'> },
  upload: UploadRef,
  work: (row: UploadRow, stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = randomUUID()
  const row = await take(db, upload, holder)
  const stop = new AbortController()
  let renewedAt = Date.now()
  let renewing: Promise<void> = Promise.resolve()
  const renew = async () => {
    try {
      if (!(await renewLease(db, row.id, holder)))
        stop.abort(new BrokenConnection('Another request goes on with this upload'))
      renewedAt = Date.now()
    } catch (error) {
      // The database may be back in a second; until the lease runs out nobody else writes.
      if (Date.now() - renewedAt > SURE_FOR_MS) stop.abort(error)
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, RENEW_EVERY_MS)
  try {
    return await work(row, stop.signal)
  } finally {
    clearInterval(timer)
    await renewing
    if (await release(db, row.id, holder)) await dropUpload(db, storage, upload)
  }
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Takes an upload for one writer, across all servers. */
async function take(db: Kysely<Database>, upload: UploadRef, holder: string): Promise<UploadRow> {
  const taken = await uploadsOf(db, upload)
    .set({ held_by: holder, held_until: leaseEnd, release_wanted: false, touched_at: sql`now()` })
    .where('cancelled', '=', false)
    .where((eb) => eb.or([eb('held_until', 'is', null), eb('held_until', '<', sql<Date>`now()`)]))
    .returningAll()
    .executeTakeFirst()
  if (taken !== undefined) return taken
  const busy = await uploadsOf(db, upload)
    .set({ release_wanted: true })
    .where('cancelled', '=', false)
    .returning('id')
    .executeTakeFirst()
  return refuse(busy === undefined ? 'UPLOAD_NOT_FOUND' : 'UPLOAD_BUSY')
}

/** Renews the lease of a writer. @returns whether it may go on */
async function renewLease(db: Kysely<Database>, id: string, holder: string): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ held_until: leaseEnd, touched_at: sql`now()` })
    .where('id', '=', id)
    .where('held_by', '=', holder)
    .returning(['release_wanted', 'cancelled'])
    .executeTakeFirst()
  return row !== undefined && !row.release_wanted && !row.cancelled
}

/** Gives the lease back. @returns whether the upload was cancelled meanwhile */
async function release(db: Kysely<Database>, id: string, holder: string): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ held_by: null, held_until: null, release_wanted: false })
    .where('id', '=', id)
    .where('held_by', '=', holder)
    .returning('cancelled')
    .executeTakeFirst()
  return row?.cancelled === true
}
