import { type RawBuilder, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { UPLOAD_HOURS } from '../../../contract/notices.ts'
import type { Db } from '../../db/database.ts'
import { BrokenConnection } from '../../http/error-response.ts'
import type { Services } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { dropUpload, uploadsOf, type UploadRef, type UploadRow } from './upload-queries.ts'
import { mayEditNotice, maySeeNotice } from './visibility.ts'

// Lifetime of a lease without renewal, in seconds. A writer that cannot renew it stops before that.
const LEASE_SECONDS = 10
const SURE_FOR_MS = 7_000
const RENEW_EVERY_MS = 1_000

/** Upload that a client sends, and the check whether its user may still send it. */
export interface SentUpload {
  /** ID as the client sends it: any text. */
  id: string
  actor: SignedIn
  /** @throws {Refusal} SESSION_REQUIRED and the other codes of the contract */
  stillAllowed: () => Promise<SignedIn>
}

/**
 * Runs work on a user's upload while no other work on it runs, on any server. Session, permission, notice and expiry
 * are checked at the start and with every renewal of the lease (design/uploads-and-files#upload-lease). Afterwards
 * deletes the upload if it was canceled or has ended.
 * @param work its signal aborts with the reason if it has to stop: another request needs the upload, it was canceled,
 * or it may not continue
 * @param sureForMs milliseconds that the work continues while the database does not answer
 * @returns the result of `work`
 * @throws {Refusal} UPLOAD_NOT_FOUND, also for another user's upload; UPLOAD_EXPIRED; NOTICE_NOT_FOUND; FORBIDDEN;
 * FILE_INFECTED if it is in quarantine; UPLOAD_BUSY while other work on it runs, which is asked to stop
 */
export async function withLease<T>(
  { db, services: { storage } }: { db: Db; services: Pick<Services, 'storage'> },
  { id, actor, stillAllowed }: SentUpload,
  work: (row: UploadRow, stop: AbortSignal) => Promise<T>,
  sureForMs = SURE_FOR_MS,
): Promise<T> {
  const upload = { id, userId: actor.id }
  const holder = randomUUID()
  const { end, ...row } = await take(db, upload, actor, holder)
  let hasEnded = end !== null
  const stop = new AbortController()
  let renewedAt = Date.now()
  let renewing: Promise<void> = Promise.resolve()
  const renew = async () => {
    try {
      const lease = await renewLease(db, row.id, await stillAllowed(), holder)
      hasEnded ||= lease.end !== null
      if (lease.end !== null) stop.abort(new Refusal(lease.end))
      if (lease.isLost) stop.abort(new BrokenConnection('Another request goes on with this upload'))
      renewedAt = Date.now()
    } catch (error) {
      // The database may be back in a second. Until the lease expires no other server writes.
      if (error instanceof Refusal || Date.now() - renewedAt > sureForMs) stop.abort(error)
    }
  }
  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, RENEW_EVERY_MS)
  try {
    if (end !== null) refuse(end)
    return await work(row, stop.signal)
  } finally {
    clearInterval(timer)
    await renewing
    const isCancelled = await release(db, row.id, holder)
    if (isCancelled || hasEnded) await dropUpload(db, storage, upload)
  }
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Error code of the reason why an upload ended before it was attached. */
type UploadEnd = 'UPLOAD_EXPIRED' | 'NOTICE_NOT_FOUND' | 'FORBIDDEN'

/**
 * Returns the SQL expression for the reason why an upload may not continue. It is null if the upload is finished, or if
 * it has not expired and its user may edit its notice.
 */
function endFor(actor: SignedIn): RawBuilder<UploadEnd | null> {
  const ofNotice = sql`(select case when ${mayEditNotice(actor, 'n')} then '' when ${maySeeNotice(actor, 'n')} then 'FORBIDDEN' end
    from notices n where n.id = uploads.notice_id)`
  return sql<UploadEnd | null>`case when finished_at is not null then null
    when created_at <= now() - make_interval(hours => ${UPLOAD_HOURS}) then 'UPLOAD_EXPIRED'
    when notice_id is null then null
    else nullif(coalesce(${ofNotice}, 'NOTICE_NOT_FOUND'), '') end`
}

/**
 * Takes the lease of an upload for one writer, across all servers.
 * @returns the row, with the reason `end` if it may not continue; null otherwise
 * @throws {Refusal} UPLOAD_NOT_FOUND; FILE_INFECTED; UPLOAD_BUSY after it asked the current writer to stop
 */
async function take(
  db: Db,
  upload: UploadRef,
  actor: SignedIn,
  holder: string,
): Promise<UploadRow & { end: UploadEnd | null }> {
  const taken = await uploadsOf(db, upload)
    .set({ heldBy: holder, heldUntil: leaseEnd, releaseWanted: false, touchedAt: sql`now()` })
    .where('cancelled', '=', false)
    .where('quarantinedAt', 'is', null)
    .where((eb) => eb.or([eb('heldUntil', 'is', null), eb('heldUntil', '<', sql<Date>`now()`)]))
    .returningAll()
    .returning(endFor(actor).as('end'))
    .executeTakeFirst()
  if (taken !== undefined) return taken
  const busy = await uploadsOf(db, upload)
    .set({ releaseWanted: true })
    .where((eb) => eb.or([eb('cancelled', '=', false), eb('quarantinedAt', 'is not', null)]))
    .returning('quarantinedAt')
    .executeTakeFirst()
  if (busy === undefined) return refuse('UPLOAD_NOT_FOUND')
  return refuse(busy.quarantinedAt === null ? 'UPLOAD_BUSY' : 'FILE_INFECTED')
}

/**
 * Renews the lease of a writer.
 * @returns `end`, the reason why the upload may not continue, or null; and `isLost`, true if the upload was canceled or another
 *   request needs it
 */
async function renewLease(
  db: Db,
  id: string,
  actor: SignedIn,
  holder: string,
): Promise<{ end: UploadEnd | null; isLost: boolean }> {
  const row = await db
    .updateTable('uploads')
    .set({ heldUntil: leaseEnd, touchedAt: sql`now()` })
    .where('id', '=', id)
    .where('heldBy', '=', holder)
    .returning(['releaseWanted', 'cancelled', endFor(actor).as('end')])
    .executeTakeFirst()
  if (row === undefined) return { end: null, isLost: true }
  return { end: row.end, isLost: row.releaseWanted || row.cancelled }
}

/**
 * Releases the lease, if the writer still has it.
 * @returns true if the upload was canceled while the writer had the lease
 */
async function release(db: Db, id: string, holder: string): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ heldBy: null, heldUntil: null, releaseWanted: false })
    .where('id', '=', id)
    .where('heldBy', '=', holder)
    .returning('cancelled')
    .executeTakeFirst()
  return row?.cancelled === true
}
