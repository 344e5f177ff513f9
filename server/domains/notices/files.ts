import { refuse } from '../../../contract/errors.ts'
import type { deleteFile, downloadFile } from '../../../contract/notices.ts'
import type { FileAnswer, Handler, Services } from '../../http/handler.ts'
import { countSessionDownload, deleteFileRow, type FileRow, findFile } from './file-queries.ts'
import { lockNotice } from './write.ts'

/** Deletes a file immediately for all users. Its bytes are kept for some days (design/uploads-and-files#rows-before-bytes). */
export const removeFile: Handler<typeof deleteFile> = async (call, input) => {
  await call.db.transaction().execute(async (tx) => {
    await lockNotice(tx, call.actor, input.noticeId)
    const file = await deleteFileRow(tx, {
      noticeId: input.noticeId,
      fileId: input.fileId,
      savePath: input.storedPath,
      saveFileName: input.storedName,
    })
    if (file === undefined) refuse('FILE_NOT_FOUND')
    const detail = { noticeId: input.noticeId, name: file.original_name }
    await call.audit(tx, { target: file.id, detail, records: [`notice/${input.noticeId}`] })
  })
  return {}
}

export const download: Handler<typeof downloadFile> = async (call, input) => {
  const found = await findFile(call.db, call.actor, input.storedPath, input.storedName)
  const file = found ?? refuse('FILE_NOT_FOUND')
  const link = { file_id: file.id, session_hash: call.actor.tokenHash }
  return fileAnswer(call, file, (firstByte) => countSessionDownload(call.db, link, firstByte))
}

/**
 * Returns the answer for a file. A file that is gone from the storage is missing, whatever its row says (rules/files#file-missing).
 * @param count counts the download before its bytes leave, given the position of the first byte
 */
export function fileAnswer(
  { services }: { services: Pick<Services, 'storage'> },
  file: FileRow,
  count: (firstByte: number) => Promise<void>,
): FileAnswer {
  const size = Number(file.size_bytes)
  return {
    name: file.original_name,
    size,
    // The content of a file never changes. A new content gets a new row.
    tag: file.id,
    async open(range) {
      const key = { path: file.save_path, name: file.save_file_name }
      const content = (await services.storage.get(key, range)) ?? refuse('FILE_NOT_FOUND')
      if (content.size !== size) {
        content.stream.destroy()
        throw new Error(`The file ${file.id} has ${content.size} bytes where its row says ${size}`)
      }
      try {
        await count(range?.start ?? 0)
      } catch (error) {
        content.stream.destroy()
        throw error
      }
      return content.stream
    },
  }
}
