import { type RawBuilder, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Refusal, refuse } from '../../../contract/errors.ts'
import { UPLOAD_HOURS } from '../../../contract/notices.ts'
import type { Db } from '../../db/database.ts'
import { BrokenConnection } from '../../http/error-response.ts'
import type { Services } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { dropUpload, uploadsOf, type UploadRef, type UploadRow } from './upload-queries.ts'
import { mayEditNotice, maySeeNotice } from '../../db/notice-visibility.ts'

/** Seconds until a lease expires that is not renewed. */
const LEASE_SECONDS = 10
/** Milliseconds without a renewal after which a writer stops, before its lease expires. */
const SURE_FOR_MS = 7_000
/** Milliseconds between two renewals. */
const RENEW_EVERY_MS = 1_000

/** Upload that a client sends, and the check whether its user may still send it. */
export interface SentUpload {
  /** ID as the client sends it: any text. */
  id: string
  actor: SignedIn
  /**
   * Authenticates and authorizes the user again.
   * @returns the user with their current permissions
   * @throws {Refusal} SESSION_REQUIRED and the other codes of the endpoint's access policy
   */
  stillAllowed: () => Promise<SignedIn>
}

/**
 * Runs work on an upload of a user while no other work on it runs, on any server
 * (design/uploads-and-files#upload-lease). At the start and every second, checks session, permission, notice and
 * expiry. Afterwards releases the lease, and deletes the upload if it was canceled or may not continue.
 * @param work its signal aborts with the reason if it has to stop: another request needs the upload, it was
 * canceled, or it may not continue
 * @param sureForMs milliseconds for which the work continues although the database does not answer
 * @returns the result of `work`
 * @throws {Refusal} UPLOAD_NOT_FOUND if it is unknown, canceled or another user's; UPLOAD_EXPIRED;
 * NOTICE_NOT_FOUND and FORBIDDEN about its notice; FILE_INFECTED if it is in quarantine; UPLOAD_BUSY while other
 * work on it runs, which is asked to stop, so that a retry succeeds
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

/** SQL expression for the time at which a lease that is taken or renewed now expires. */
const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/** Error code of the reason why an upload ended before it was attached. */
type UploadEnd = 'UPLOAD_EXPIRED' | 'NOTICE_NOT_FOUND' | 'FORBIDDEN'

/**
 * Returns the SQL expression for the reason (UploadEnd) why a row of `uploads` may not continue. Null if it is
 * attached already, or if it has not expired and its user may edit its notice, if it has one.
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
 * Takes the lease of an upload for one writer (`holder`), across all servers.
 * @returns the row, and in `end` the reason why the upload may not continue; null if it may
 * @throws {Refusal} UPLOAD_NOT_FOUND if it is unknown, canceled or another user's; FILE_INFECTED; UPLOAD_BUSY if
 * another writer has the lease, after asking it to stop
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
 * @returns `end`: the reason why the upload may not continue, or null. `isLost`: true if the writer must stop,
 * because it lost the lease, the upload was canceled or another request needs it
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
