import { refuse } from '../../../contract/errors.ts'
import type { deleteFile, downloadFile, downloadPicture } from '../../../contract/notices.ts'
import type { FileAnswer, Handler, Services } from '../../http/handler.ts'
import { countSessionDownload, deleteFileRow, type FileRow, filesFor, findFile } from './file-queries.ts'
import { lockNotice } from './write.ts'
import type { Db } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { IS_WAITING } from './pending-uploads.ts'

/**
 * Detaches the file of a notice for all users, immediately, with an audit row. Its bytes are kept for some days
 * (design/uploads-and-files#rows-before-bytes).
 * @throws {Refusal} FILE_NOT_FOUND if ID, stored name and stored path do not belong to the file of the notice; and
 * as `lockNotice`
 */
export const removeFile: Handler<typeof deleteFile> = (call, input) =>
  call.db.transaction().execute(async (tx) => {
    await lockNotice(tx, call.actor, input.noticeId)
    const file = await deleteFileRow(tx, {
      noticeId: input.noticeId,
      fileId: input.fileId,
      savePath: input.storedPath,
      saveFileName: input.storedName,
    })
    if (file === undefined) refuse('FILE_NOT_FOUND')
    const detail = { noticeId: input.noticeId, name: file.originalName }
    await call.audit(tx, { target: file.id, detail, records: [`notice/${input.noticeId}`] })
  })

/**
 * Returns the answer for an attached file of a notice that the caller may see. The download is counted when its
 * first byte leaves (rules/files#download).
 * @throws {Refusal} FILE_NOT_FOUND, also if the caller may not see the notice
 */
export const download: Handler<typeof downloadFile> = async (call, input) => {
  const found = await findFile(call.db, call.actor, input.storedPath, input.storedName)
  const file = found ?? refuse('FILE_NOT_FOUND')
  const link = { fileId: file.id, sessionHash: call.actor.tokenHash }
  return fileAnswer(call, file, (firstByte) => countSessionDownload(call.db, link, firstByte))
}

/**
 * Returns the answer for a file. Its `open` reads the storage and counts the download; it refuses with FILE_NOT_FOUND
 * if the file is gone from the storage, whatever its row says (rules/files#file-missing), and throws if the sizes
 * differ.
 * @param count counts the download before its bytes leave, given the position of the first byte
 */
export function fileAnswer(
  { services }: { services: Pick<Services, 'storage'> },
  file: FileRow,
  count: (firstByte: number) => Promise<void>,
): FileAnswer {
  const size = Number(file.sizeBytes)
  return {
    name: file.originalName,
    size,
    // The content of a file never changes. A new content gets a new row.
    tag: file.id,
    async open(range) {
      const key = { path: file.savePath, name: file.saveFileName }
      const content = (await services.storage.get(key, range)) ?? refuse('FILE_NOT_FOUND')
      if (content.size !== size) {
        content.stream.destroy()
        throw new Error(`The file ${file.id} has ${content.size} bytes, but its row has ${size}`)
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

/**
 * Returns the answer for an image of a notice that the caller may see, otherwise for a stored image of the caller
 * that no notice has yet (rules/notices#pictures). Counts no download.
 * @throws {Refusal} PICTURE_NOT_FOUND
 */
export const sendPicture: Handler<typeof downloadPicture> = async (call, { noticeId, picture }) => {
  const { db, actor } = call
  const file =
    (noticeId === undefined ? undefined : await findPicture(db, actor, noticeId, picture)) ??
    (await findWaiting(db, actor, picture)) ??
    refuse('PICTURE_NOT_FOUND')
  // Images load whenever a user opens the notice, so this is not recorded as a download.
  return fileAnswer(call, file, async () => {})
}

/** Returns an image of a notice that the actor may see, by its name in the text; undefined if there is none. */
const findPicture = (db: Db, actor: SignedIn, noticeId: string, picture: string) =>
  filesFor(db, actor, picture).where('f.noticeId', '=', noticeId).executeTakeFirst()

/** Returns the newest stored image of the actor with this name that no notice has yet; undefined if there is none. */
async function findWaiting(db: Db, actor: SignedIn, picture: string) {
  const row = await db
    .selectFrom('uploads')
    .select(['id', 'savePath', 'saveFileName', 'originalName', 'sizeBytes'])
    .where('userId', '=', actor.id)
    .where('picture', '=', picture)
    .where('storedAt', 'is not', null)
    .where(IS_WAITING)
    .orderBy('storedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, sizeBytes: row.sizeBytes ?? '0' }
}
