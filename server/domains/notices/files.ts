import { API_BASE } from '../../../contract/envelope.ts'
import { refuse } from '../../../contract/errors.ts'
import {
  type deleteFile,
  type downloadFile,
  FILE_LINKS_PATH,
  type linkFile,
} from '../../../contract/notices.ts'
import type { Handler } from '../../http/handler.ts'
import { fileAnswer } from './file-content.ts'
import { makeLink } from './file-links.ts'
import { deleteFileRow, findFile } from './file-queries.ts'
import { lockNotice } from './write.ts'

/** The bytes of a deleted file are kept for some days (ADR 015); to everybody it is gone at once. */
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
    await call.audit(tx, { target: file.id, detail })
  })
  return {}
}

export const download: Handler<typeof downloadFile> = async (call, input) => {
  const file =
    (await findFile(call.db, call.actor, input.storedPath, input.storedName)) ?? refuse('FILE_NOT_FOUND')
  return fileAnswer(call, file)
}

/** Says now whether the file is there: what the browser's download manager says of it nobody can word. */
export const link: Handler<typeof linkFile> = async ({ db, services, actor }, input) => {
  const file = (await findFile(db, actor, input.storedPath, input.storedName)) ?? refuse('FILE_NOT_FOUND')
  const size = await services.storage.sizeOf({ path: file.save_path, name: file.save_file_name })
  if (size === null) refuse('FILE_NOT_FOUND')
  return { url: `${API_BASE}${FILE_LINKS_PATH}/${await makeLink(db, file.id, actor.tokenHash)}` }
}
