import { mayBeNamed, typeOf } from '../../../contract/file-types.ts'
import { type ErrorCode, Refusal, refuse } from '../../../contract/errors.ts'
import {
  type beginUpload,
  type cancelUpload,
  type finishUpload,
  MAX_LOOSE_BYTES,
  MAX_OPEN_UPLOADS,
  MAX_PICTURE_BYTES,
  type uploadFile,
} from '../../../contract/notices.ts'
import type { Tx } from '../../db/database.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { limitBytes, abortable } from '../../http/request-body.ts'
import type { StorageUpload } from '../../services/storage.ts'
import { examine } from './validate-upload.ts'
import { fileIdOf, isFile } from './file-queries.ts'
import type { PictureSize } from './picture-size.ts'
import { withLease } from './upload-lease.ts'
import {
  attachUpload,
  dropUpload,
  forgetUpload,
  incomingOf,
  insertUpload,
  findUploadUsage,
  markCancelled,
  markStored,
  type NewUpload,
  recordsOf,
  type UploadRow,
} from './upload-queries.ts'
import { reserveQuota } from './upload-quota.ts'
import { checkUploadSpace } from './upload-space.ts'
import { lockNotice } from './write.ts'

/**
 * Receives the whole file of a multipart request and attaches it to its notice, in place of the file that it
 * replaces. Deletes the upload if anything fails. Session and permission are checked again at intervals and before
 * it is attached. It continues while the database is unavailable, because no other client gets its ID.
 * @throws {Refusal} as `begin`, `withLease`, `examine` and `attach`; FILE_TOO_LARGE while the file arrives
 */
export const uploadFromForm: Handler<typeof uploadFile> = async (call, { fileName, ...target }) => {
  const { db, actor } = call
  const { storage } = call.services
  const row = await begin(call, {
    ...target,
    originalName: fileName,
    sizeBytes: null,
    expectedBytes: Math.min(call.bodyBytes ?? call.maxFileBytes, call.maxFileBytes),
    lastModified: null,
    picture: null,
  })
  try {
    const work = async (_: UploadRow, stop: AbortSignal) => {
      const file = incomingOf(db, row)
      await storage.append(file, abortable(limitBytes(call.maxFileBytes, call.content), stop))
      await settle(call, row, file)
    }
    await withLease(call, { ...call, id: row.id }, work, Infinity)
  } catch (error) {
    await dropUpload(db, storage, { id: row.id, userId: actor.id })
    throw error
  }
}

/**
 * Inserts the row of an upload whose bytes arrive by tus, and returns its ID. With `picture` it becomes an image
 * of a text, and `noticeId` is ignored.
 * @throws {Refusal} PICTURE_TOO_LARGE, FILE_TOO_LARGE by the announced size; and as `begin`
 */
export const beginResumable: Handler<typeof beginUpload> = async (call, input) => {
  const { fileName: originalName, fileSize: size, replacesFileId, picture = null } = input
  if (picture !== null && size > MAX_PICTURE_BYTES) refuse('PICTURE_TOO_LARGE')
  if (size > call.maxFileBytes) refuse('FILE_TOO_LARGE')
  const row = await begin(call, {
    replacesFileId,
    noticeId: picture === null ? (input.noticeId ?? null) : null,
    originalName,
    sizeBytes: size,
    expectedBytes: size,
    lastModified: input.lastModified ?? null,
    picture,
  })
  return { uploadId: row.id }
}

/**
 * Examines a completely received upload, and attaches it to its notice, or keeps it for the notice that will be
 * saved with it. A refusal deletes the upload unless it may be temporary (TEMPORARY_ERRORS) or bytes are missing.
 * A repeated call succeeds, with an audit row, unless the file was deleted or replaced since.
 * @throws {Refusal} UPLOAD_INCOMPLETE if bytes are missing; UPLOAD_NOT_FOUND if the attached file no longer
 * exists; and as `withLease`, `examine`, `attach` and `keep`
 */
export const finishResumable: Handler<typeof finishUpload> = async (call, { uploadId }) => {
  const { db, actor } = call
  const { storage } = call.services
  const findAgain = (row: UploadRow) =>
    db.transaction().execute(async (tx) => {
      // The file was attached, and has been deleted or replaced since. A client that still has it must start a new upload.
      if (row.noticeId !== null && !(await isFile(tx, row.id))) refuse('UPLOAD_NOT_FOUND')
      await call.audit(tx, { target: row.id, detail: { again: true }, records: recordsOf(row) })
    })
  await withLease(call, { ...call, id: uploadId }, async (row) => {
    if (row.finishedAt !== null || row.storedAt !== null) return call.inTurn(() => findAgain(row))
    const file = incomingOf(db, row)
    if ((await storage.received(file)) !== Number(row.sizeBytes)) refuse('UPLOAD_INCOMPLETE')
    try {
      await settle(call, row, file)
    } catch (error) {
      // Refused permanently: for example its notice was deleted, or has another file. Other errors may be temporary, so the bytes
      // stay.
      if (error instanceof Refusal && !TEMPORARY_ERRORS.includes(error.code))
        await dropUpload(db, storage, { id: uploadId, userId: actor.id })
      throw error
    }
  })
  return { fileId: uploadId }
}

/**
 * Error codes that may be temporary, after which the upload is kept: the server is busy, the scanner is
 * unavailable, or the user has to log in or do something first.
 */
const TEMPORARY_ERRORS: readonly ErrorCode[] = [
  'UNAVAILABLE',
  'DISK_FULL',
  'SCAN_FAILED',
  'SESSION_REQUIRED',
  'PASSWORD_CHANGE_REQUIRED',
  'FACTOR_SETUP_REQUIRED',
  'PRIVACY_ACCEPTANCE_REQUIRED',
]

/**
 * Cancels an upload of the caller, and deletes its bytes and row. If a server is writing to it, that server stops
 * within a second and deletes it. Succeeds without effect if the upload is unknown, attached or in quarantine.
 */
export const cancelResumable: Handler<typeof cancelUpload> = async (call, { uploadId }) => {
  const upload = { id: uploadId, userId: call.actor.id }
  const row = await call.inTurn(() => markCancelled(call.db, upload))
  if (row?.heldBy === null) await dropUpload(call.db, call.services.storage, upload)
}

/**
 * Checks whether an upload may start, inserts its row and reserves its quota. Asks the storage only after the row
 * is written, without locks and without a connection, so that a storage that hangs delays no other request. A
 * refusal leaves no row.
 * @throws {Refusal} FILE_TYPE_REFUSED by the name; UPLOADS_OPEN at MAX_OPEN_UPLOADS; UPLOADS_FULL above
 * MAX_LOOSE_BYTES; UPLOAD_QUOTA; and as `lockForFile` and `checkUploadSpace`
 */
async function begin(
  call: Call<typeof uploadFile | typeof beginUpload>,
  { replacesFileId, ...upload }: NewUpload & { replacesFileId: string },
): Promise<UploadRow> {
  const { db, actor, maxFileBytes } = call
  const { uploadQuotaMb } = call.services.settings.now()
  if (!mayBeNamed(call.services.config.fileTypes, upload.originalName))
    refuse('FILE_TYPE_REFUSED', { about: [typeOf(upload.originalName)].filter((type) => type !== '') })
  const replaces = UUID.test(replacesFileId) ? replacesFileId : null
  const record = async (tx: Tx) => {
    if (upload.noticeId !== null) await lockForFile(tx, upload.noticeId, replaces, actor)
    const { open, bytes, pending } = await findUploadUsage(
      tx,
      { userId: actor.id, isPicture: upload.picture !== null },
      maxFileBytes,
    )
    if (open >= MAX_OPEN_UPLOADS) refuse('UPLOADS_OPEN')
    if (bytes + (upload.sizeBytes ?? 0) > MAX_LOOSE_BYTES) refuse('UPLOADS_FULL')
    await reserveQuota(tx, { userId: actor.id, bytes: upload.expectedBytes }, uploadQuotaMb)
    const row = await insertUpload(tx, actor.id, { ...upload, replacesFileId: replaces })
    return { row, earlier: pending }
  }
  const { row, earlier } = await call.inTurn(() => db.transaction().execute(record))
  try {
    await checkUploadSpace(call, earlier, upload.expectedBytes)
  } catch (error) {
    await forgetUpload(db, row.id)
    throw error
  }
  return row
}

/** Form of the ID of a file. Any other text for the replaced file counts as none. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Locks a notice that is to get a file, until the transaction ends. Deletes nothing.
 * @param replaces ID of the file that the new one replaces; null for none
 * @returns the ID of the current file; null if there is none
 * @throws {Refusal} FILE_ALREADY_ATTACHED if the notice has a file other than `replaces`; and as `lockNotice`:
 * NOTICE_NOT_FOUND, FORBIDDEN, NOTICE_MARKED
 */
async function lockForFile(
  tx: Tx,
  noticeId: string,
  replaces: string | null,
  actor: SignedIn,
): Promise<string | null> {
  await lockNotice(tx, actor, noticeId)
  const replaced = await fileIdOf(tx, noticeId)
  if (replaced !== null && replaced !== replaces) refuse('FILE_ALREADY_ATTACHED')
  return replaced
}

/**
 * Makes the stored bytes a file: completes it in the storage, examines it, then attaches it to its notice, or keeps it
 * for a new one.
 * @throws {Refusal} as `examine`, `attach` and `keep`
 */
async function settle(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow,
  file: StorageUpload,
): Promise<void> {
  const { size } = await call.services.storage.finish(file)
  const pictureSize = await examine(call, row, size)
  const { noticeId } = row
  await call.inTurn(() =>
    noticeId === null ? keep(call, row, size, pictureSize) : attach(call, { ...row, noticeId }, size),
  )
}

/**
 * Marks an upload without a notice as stored, with an audit row, after checking session and permission again. It
 * waits until a notice is saved with it.
 * @throws {Refusal} UPLOAD_NOT_FOUND if it was canceled; and as `call.stillAllowed`
 */
async function keep(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow,
  size: number,
  pictureSize: PictureSize | undefined,
): Promise<void> {
  await call.stillAllowed()
  await call.db.transaction().execute(async (tx) => {
    if (!(await markStored(tx, row.id, pictureSize))) refuse('UPLOAD_NOT_FOUND')
    await call.audit(tx, { target: row.id, detail: { name: row.originalName, size }, records: [] })
  })
}

/**
 * Attaches an upload to its notice and deletes the row of the file that it replaces, in one transaction with the
 * audit row (design/uploads-and-files#rows-before-bytes). Checks session and permission again before, because the
 * storage needs a while to finish a large file.
 * @throws {Refusal} UPLOAD_NOT_FOUND if it was canceled; and as `lockForFile` and `call.stillAllowed`
 */
async function attach(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow & { noticeId: string },
  size: number,
): Promise<void> {
  const actor = await call.stillAllowed()
  await call.db.transaction().execute(async (tx) => {
    const replaced = await lockForFile(tx, row.noticeId, row.replacesFileId, actor)
    if (replaced !== null) await tx.deleteFrom('noticeFiles').where('id', '=', replaced).execute()
    if (!(await attachUpload(tx, row, size))) refuse('UPLOAD_NOT_FOUND')
    const detail = { noticeId: row.noticeId, name: row.originalName, size, replaced }
    await call.audit(tx, { target: row.id, detail, records: recordsOf(row) })
  })
}
