import type { Transaction } from 'kysely'
import { Refusal, refuse } from '../../../contract/errors.ts'
import type { beginUpload, cancelUpload, finishUpload, uploadFile } from '../../../contract/notices.ts'
import type { Database } from '../../db/types.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import type { ResumableUploads } from '../../http/uploads.ts'
import { newStorageKey } from '../../services/storage.ts'
import { fileIdOf } from './file-queries.ts'
import { dropUpload, holding, limited } from './upload-lease.ts'
import * as queries from './upload-queries.ts'
import { lockNotice } from './write.ts'

/** The multipart upload of the spec: all of it in one request, and nothing of it is left when it fails. */
export const uploadFromForm: Handler<typeof uploadFile> = async (call, input, content) => {
  const { db, services } = call
  const row = await begin(call, { ...input, name: input.fileName, size: null })
  try {
    await holding(call, row.id, async (signal) => {
      const file = queries.incomingOf(db, row)
      await services.storage.append(file, limited(content, call.maxFileBytes, signal))
      await attach(call, row, await services.storage.finish(file))
    })
  } catch (error) {
    await dropUpload(db, services.storage, row.id)
    throw error
  }
  return {}
}

/** Begins an upload whose bytes come by tus. */
export const beginResumable: Handler<typeof beginUpload> = async (call, input) => {
  if (input.fileSize > call.maxFileBytes) refuse('FILE_TOO_LARGE')
  const row = await begin(call, { ...input, name: input.fileName, size: input.fileSize })
  return { uploadId: row.id }
}

/** Attaches what has come by tus; a repeated one finds it attached, unless it is gone again. */
export const finishResumable: Handler<typeof finishUpload> = async (call, { uploadId }) => {
  const { db, services, actor } = call
  const { id } = (await queries.findUpload(db, uploadId, actor.id)) ?? refuse('UPLOAD_NOT_FOUND')
  await holding(call, id, async (_signal, row) => {
    if (row.finished_at !== null) {
      return db.transaction().execute(async (tx) => {
        // Attached once, and deleted or replaced since: whoever still has the file begins anew.
        if ((await fileIdOf(tx, row.notice_id)) !== id) refuse('UPLOAD_NOT_FOUND')
        await call.audit(tx, { target: id, detail: { again: true } })
      })
    }
    const file = queries.incomingOf(db, row)
    if ((await services.storage.received(file)) !== Number(row.size_bytes)) refuse('UPLOAD_INCOMPLETE')
    const stored = await services.storage.finish(file)
    try {
      await attach(call, row, stored)
    } catch (error) {
      // Refused for good: its notice is gone, or has another file. Whatever else may pass, and the bytes wait.
      if (error instanceof Refusal) await dropUpload(db, services.storage, id)
      throw error
    }
  })
  return { fileId: id }
}

/** Gives an upload up; whoever writes to it lets go within a second. */
export const cancelResumable: Handler<typeof cancelUpload> = async (
  { db, services, actor },
  { uploadId },
) => {
  const row = await queries.findUpload(db, uploadId, actor.id)
  const given = row && (await queries.giveUp(db, row.id))
  // Whoever holds it drops it; from here on nobody takes it.
  if (given?.held_by === null) await dropUpload(db, services.storage, given.id)
  return {}
}

/** HEAD and PATCH of tus. */
export const resumable: ResumableUploads = {
  async progress(call, id) {
    const { db, services, actor } = call
    const row = (await queries.findUpload(db, id, actor.id)) ?? refuse('UPLOAD_NOT_FOUND')
    const size = Number(row.size_bytes)
    if (row.size_bytes === null) refuse('UPLOAD_NOT_FOUND')
    if (row.finished_at !== null) return { offset: size, size }
    return holding(call, row.id, async () => ({
      offset: await services.storage.received(queries.incomingOf(db, row)),
      size,
    }))
  },

  async append(call, id, part) {
    const { db, services, actor } = call
    const found = (await queries.findUpload(db, id, actor.id)) ?? refuse('UPLOAD_NOT_FOUND')
    if (found.size_bytes === null || found.finished_at !== null) refuse('UPLOAD_NOT_FOUND')
    const left = Number(found.size_bytes) - part.offset
    if ((part.length ?? 0) > left) refuse('FILE_TOO_LARGE')
    return holding(call, found.id, async (signal, row) => {
      if (row.finished_at !== null) refuse('UPLOAD_NOT_FOUND')
      const file = queries.incomingOf(db, row)
      if ((await services.storage.received(file)) !== part.offset) refuse('UPLOAD_OFFSET')
      await services.storage.append(file, limited(part.content, left, signal))
      return services.storage.received(file)
    })
  },
}

/** Decides whether the upload may begin, and puts it on record. */
async function begin(
  call: Call<typeof uploadFile | typeof beginUpload>,
  upload: { noticeId: string; replacesFileId: string; name: string; size: number | null },
): Promise<queries.UploadRow> {
  const replaces = UUID.test(upload.replacesFileId) ? upload.replacesFileId : null
  return call.db.transaction().execute(async (tx) => {
    await lockForFile(tx, upload.noticeId, replaces, call.actor)
    return queries.insertUpload(tx, {
      userId: call.actor.id,
      noticeId: upload.noticeId,
      replacesFileId: replaces,
      name: upload.name,
      size: upload.size,
      key: newStorageKey(new Date()),
    })
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Locks a notice that is to get a file: one file per notice, unless the new one takes the place of the one that is
 * there.
 * @throws {Refusal} NOTICE_NOT_FOUND, FORBIDDEN, FILE_ALREADY_ATTACHED
 */
async function lockForFile(
  tx: Transaction<Database>,
  noticeId: string,
  replaces: string | null,
  actor: SignedIn,
): Promise<{ replaced: string | null }> {
  await lockNotice(tx, actor, noticeId)
  const replaced = await fileIdOf(tx, noticeId)
  if (replaced !== null && replaced !== replaces) refuse('FILE_ALREADY_ATTACHED')
  return { replaced }
}

/** The new row in and the old one out, in one transaction: one of the two is always there (ADR 015). */
async function attach(
  call: Call<typeof uploadFile | typeof finishUpload>,
  row: queries.UploadRow,
  { size }: { size: number },
): Promise<void> {
  await call.db.transaction().execute(async (tx) => {
    const { replaced } = await lockForFile(tx, row.notice_id, row.replaces_file_id, call.actor)
    if (replaced !== null) await tx.deleteFrom('notice_files').where('id', '=', replaced).execute()
    if (!(await queries.attachUpload(tx, row, size))) refuse('UPLOAD_NOT_FOUND')
    const detail = { noticeId: row.notice_id, name: row.original_name, size, replaced }
    await call.audit(tx, { target: row.id, detail })
  })
}
