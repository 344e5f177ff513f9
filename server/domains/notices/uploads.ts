import type { Transaction } from 'kysely'
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
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { limitBytes, abortable } from '../../http/request-body.ts'
import type { Incoming } from '../../services/storage.ts'
import { examine } from './examine.ts'
import { fileIdOf, isFile } from './file-queries.ts'
import type { PictureSize } from './picture-size.ts'
import { holding } from './upload-lease.ts'
import {
  attachUpload,
  dropUpload,
  forgetUpload,
  incomingOf,
  insertUpload,
  keepStored,
  findUploadUsage,
  markCancelled,
  recordsOf,
  type UploadRow,
} from './upload-queries.ts'
import { reserveQuota } from './upload-quota.ts'
import { checkUploadSpace } from './upload-space.ts'
import { lockNotice } from './write.ts'

/**
 * Receives a multipart upload: the whole file in one request, of which nothing remains if it fails. No other client gets its ID,
 * so it may continue while the database is unavailable. Permission is checked again at intervals, and before it is attached.
 */
export const uploadFromForm: Handler<typeof uploadFile> = async (call, input) => {
  const { db, actor } = call
  const { storage } = call.services
  const expected = Math.min(call.bodyBytes ?? call.maxFileBytes, call.maxFileBytes)
  const row = await begin(call, {
    ...input,
    name: input.fileName,
    size: null,
    expected,
    lastModified: null,
    picture: null,
  })
  try {
    const work = async (_: UploadRow, stop: AbortSignal) => {
      const file = incomingOf(db, row)
      await storage.append(file, abortable(limitBytes(call.maxFileBytes, call.content), stop))
      await settle(call, row, file)
    }
    await holding(call, { ...call, id: row.id }, work, Infinity)
  } catch (error) {
    await dropUpload(db, storage, { id: row.id, userId: actor.id })
    throw error
  }
  return {}
}

/** Starts an upload whose bytes arrive by tus. */
export const beginResumable: Handler<typeof beginUpload> = async (call, input) => {
  const { fileSize: size, picture = null } = input
  if (picture !== null && size > MAX_PICTURE_BYTES) refuse('PICTURE_TOO_LARGE')
  if (size > call.maxFileBytes) refuse('FILE_TOO_LARGE')
  const row = await begin(call, {
    ...input,
    noticeId: picture === null ? (input.noticeId ?? null) : null,
    name: input.fileName,
    size,
    expected: size,
    lastModified: input.lastModified ?? null,
    picture,
  })
  return { uploadId: row.id }
}

/**
 * Attaches an upload that has arrived by tus, or keeps it for the notice that will be saved with it. A repeated call succeeds,
 * unless the file was deleted since.
 */
export const finishResumable: Handler<typeof finishUpload> = async (call, { uploadId }) => {
  const { db, actor } = call
  const { storage } = call.services
  const findAgain = (row: UploadRow) =>
    db.transaction().execute(async (tx) => {
      // The file was attached, and has been deleted or replaced since. A client that still has it must start a new upload.
      if (row.notice_id !== null && !(await isFile(tx, row.id))) refuse('UPLOAD_NOT_FOUND')
      await call.audit(tx, { target: row.id, detail: { again: true }, records: recordsOf(row) })
    })
  await holding(call, { ...call, id: uploadId }, async (row) => {
    if (row.finished_at !== null || row.stored_at !== null) return call.inTurn(() => findAgain(row))
    const file = incomingOf(db, row)
    if ((await storage.received(file)) !== Number(row.size_bytes)) refuse('UPLOAD_INCOMPLETE')
    try {
      await settle(call, row, file)
    } catch (error) {
      // Refused permanently: for example its notice was deleted, or has another file. Other errors may be temporary, so the bytes
      // stay.
      if (error instanceof Refusal && !MAY_PASS.includes(error.code))
        await dropUpload(db, storage, { id: uploadId, userId: actor.id })
      throw error
    }
  })
  return { fileId: uploadId }
}

/** The server is busy, the scanner is unavailable, or the user has to log in again. */
const MAY_PASS: readonly ErrorCode[] = [
  'UNAVAILABLE',
  'DISK_FULL',
  'SCAN_FAILED',
  'SESSION_REQUIRED',
  'PASSWORD_CHANGE_REQUIRED',
  'FACTOR_SETUP_REQUIRED',
]

/** Cancels an upload. A server that writes to it stops within a second, and deletes it. */
export const cancelResumable: Handler<typeof cancelUpload> = async (call, { uploadId }) => {
  const upload = { id: uploadId, userId: call.actor.id }
  const row = await call.inTurn(() => markCancelled(call.db, upload))
  if (row?.held_by === null) await dropUpload(call.db, call.services.storage, upload)
  return {}
}

/**
 * Checks whether the upload may start, and records it. The storage is queried after the row is written, without locks and without
 * a connection, so that a storage that hangs delays no other request.
 */
async function begin(
  call: Call<typeof uploadFile | typeof beginUpload>,
  upload: {
    noticeId: string | null
    replacesFileId: string
    name: string
    size: number | null
    expected: number
    lastModified: number | null
    picture: string | null
  },
): Promise<UploadRow> {
  const { db, actor, maxFileBytes } = call
  const { uploadQuotaMb } = call.services.settings.now()
  if (!mayBeNamed(call.services.config.fileTypes, upload.name))
    refuse('FILE_TYPE_REFUSED', { about: [typeOf(upload.name)].filter((type) => type !== '') })
  const replaces = UUID.test(upload.replacesFileId) ? upload.replacesFileId : null
  const record = async (tx: Transaction<Database>) => {
    if (upload.noticeId !== null) await lockForFile(tx, upload.noticeId, replaces, actor)
    const { open, bytes, pending } = await findUploadUsage(
      tx,
      { userId: actor.id, isPicture: upload.picture !== null },
      maxFileBytes,
    )
    if (open >= MAX_OPEN_UPLOADS) refuse('UPLOADS_OPEN')
    if (bytes + (upload.size ?? 0) > MAX_LOOSE_BYTES) refuse('UPLOADS_FULL')
    await reserveQuota(tx, { userId: actor.id, bytes: upload.expected }, uploadQuotaMb)
    const row = await insertUpload(tx, { ...upload, userId: actor.id, replacesFileId: replaces })
    return { row, earlier: pending }
  }
  const { row, earlier } = await call.inTurn(() => db.transaction().execute(record))
  try {
    await checkUploadSpace(call, earlier, upload.expected)
  } catch (error) {
    await forgetUpload(db, row.id)
    throw error
  }
  return row
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Locks a notice that is to get a file. A notice has one file, unless the new one replaces the present one.
 * @returns the present file
 * @throws {Refusal} NOTICE_NOT_FOUND, FORBIDDEN, NOTICE_MARKED, FILE_ALREADY_ATTACHED
 */
async function lockForFile(
  tx: Transaction<Database>,
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
 * Makes the stored bytes a file: completes it in the storage, examines it, then attaches it to its notice, or keeps it for a new
 * one.
 */
async function settle(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow,
  file: Incoming,
): Promise<void> {
  const { size } = await call.services.storage.finish(file)
  const pictureSize = await examine(call, row, size)
  const { notice_id } = row
  await call.inTurn(() =>
    notice_id === null ? keep(call, row, size, pictureSize) : attach(call, { ...row, notice_id }, size),
  )
}

/** From now on the upload waits for its notice. */
async function keep(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow,
  size: number,
  pictureSize: PictureSize | undefined,
): Promise<void> {
  await call.stillAllowed()
  await call.db.transaction().execute(async (tx) => {
    if (!(await keepStored(tx, row.id, pictureSize))) refuse('UPLOAD_NOT_FOUND')
    await call.audit(tx, { target: row.id, detail: { name: row.original_name, size }, records: [] })
  })
}

/**
 * Attaches the new row and detaches the old one in one transaction, so that one of them is always attached
 * (design/uploads-and-files#rows-before-bytes). Checks the user's permission again, because the storage needs a while to finish a
 * large file.
 */
async function attach(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: UploadRow & { notice_id: string },
  size: number,
): Promise<void> {
  const actor = await call.stillAllowed()
  await call.db.transaction().execute(async (tx) => {
    const replaced = await lockForFile(tx, row.notice_id, row.replaces_file_id, actor)
    if (replaced !== null) await tx.deleteFrom('notice_files').where('id', '=', replaced).execute()
    if (!(await attachUpload(tx, row, size))) refuse('UPLOAD_NOT_FOUND')
    const detail = { noticeId: row.notice_id, name: row.original_name, size, replaced }
    await call.audit(tx, { target: row.id, detail, records: recordsOf(row) })
  })
}
