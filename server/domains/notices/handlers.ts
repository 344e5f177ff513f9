import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { link } from './file-links.ts'
import { download, removeFile } from './files.ts'
import { countView, findNeighbours, findNotice } from './queries.ts'
import { confirmNotice, listUnread, remindUnread } from './readers.ts'
import { findNotices } from './search.ts'
import { beginResumable, cancelResumable, finishResumable, uploadFromForm } from './uploads.ts'
import { createNotice, deleteNotice, updateNotice } from './write.ts'

/** The notice board (rules/notices#notice-board). */
export const notices: Handlers<'notices'> = {
  async listNotices({ db, actor, language }, filter) {
    const { totalCount, rows } = await findNotices(db, actor, filter, language)
    return { totalCount, notices: rows }
  },

  async getNotice({ db, actor, language }, { noticeId }) {
    await countView(db, actor, noticeId)
    const notice = await findNotice(db, actor, noticeId, language)
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    return { ...notice, ...(await findNeighbours(db, actor, noticeId)) }
  },

  createNotice,
  updateNotice,
  deleteNotice,
  confirmNotice,
  listUnread,
  remindUnread,

  uploadFile: uploadFromForm,
  beginUpload: beginResumable,
  finishUpload: finishResumable,
  cancelUpload: cancelResumable,
  deleteFile: removeFile,
  downloadFile: download,
  linkFile: link,
}
