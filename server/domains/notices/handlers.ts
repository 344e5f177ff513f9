import { refuse } from '../../../contract/errors.ts'
import type { Handlers } from '../../http/handler.ts'
import { countRecipients, listAudience } from './audience.ts'
import { link } from './file-links.ts'
import { download, removeFile, sendPicture } from './files.ts'
import { listMentionable } from './mentions.ts'
import { countView, findNeighbours, findNotice } from './queries.ts'
import { confirmNotice, listUnread, remindUnread } from './readers.ts'
import {
  acknowledgeNotice,
  createComment,
  deleteComment,
  listComments,
  shownResponses,
  updateComment,
} from './responses.ts'
import { findNotices } from './search.ts'
import { beginResumable, cancelResumable, finishResumable, uploadFromForm } from './uploads.ts'
import { listUploads } from './pending-uploads.ts'
import { createNotice, deleteNotice, updateNotice } from './write.ts'

/** Handlers of the notice board, its files, its readers and its comments (rules/notices#notice-board). */
export const notices: Handlers<'notices'> = {
  /** Returns a page of the notices that match the filter and that the caller may see. */
  async listNotices({ db, actor, language }, filter) {
    const { totalCount, rows } = await findNotices(db, actor, filter, language)
    return { totalCount, notices: rows }
  },

  /**
   * Returns a notice with its neighbors, and counts the caller's first view of it. @throws {Refusal} NOTICE_NOT_FOUND,
   * also if the caller may not see it
   */
  async getNotice({ db, actor, language, services }, { noticeId }) {
    await countView(db, actor, noticeId)
    const notice = await findNotice(db, actor, noticeId, language)
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    const { noticeComments, noticeAcknowledgements } = services.settings.now()
    const isOn = { comments: noticeComments, acknowledgements: noticeAcknowledgements }
    return { ...notice, ...shownResponses(notice, isOn), ...(await findNeighbours(db, actor, noticeId)) }
  },

  createNotice,
  updateNotice,
  deleteNotice,
  acknowledgeNotice,
  listComments,
  listMentionable,
  createComment,
  updateComment,
  deleteComment,

  countRecipients,
  listAudience,
  confirmNotice,
  listUnread,
  remindUnread,

  uploadFile: uploadFromForm,
  beginUpload: beginResumable,
  finishUpload: finishResumable,
  cancelUpload: cancelResumable,
  listUploads,
  deleteFile: removeFile,
  downloadFile: download,
  linkFile: link,
  downloadPicture: sendPicture,
}
