import { numbered } from '../../db/page.ts'
import { type Handlers, notBuilt } from '../../http/handler.ts'
import { download, link, removeFile } from './files.ts'
import { findNotices } from './queries.ts'
import { beginResumable, cancelResumable, finishResumable, uploadFromForm } from './uploads.ts'

/** The notice board (spec §2). */
export const notices: Handlers<'notices'> = {
  async listNotices({ db, language }, filter) {
    const { total, rows } = await findNotices(db, filter, language)
    return { TOTAL_COUNT: total, NOTICE_LIST: numbered(rows, total, filter) }
  },

  getNotice: notBuilt,
  createNotice: notBuilt,
  updateNotice: notBuilt,
  deleteNotice: notBuilt,

  uploadFile: uploadFromForm,
  beginUpload: beginResumable,
  finishUpload: finishResumable,
  cancelUpload: cancelResumable,
  deleteFile: removeFile,
  downloadFile: download,
  linkFile: link,
}
