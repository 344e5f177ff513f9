import { refuse } from '../../../contract/errors.ts'
import { numbered } from '../../db/page.ts'
import { type Handlers, notBuilt } from '../../http/handler.ts'
import { countView, findFile, findNeighbours, findNotice } from './queries.ts'
import { confirmNotice, listUnread, remindUnread } from './readers.ts'
import { findNotices } from './search.ts'
import { createNotice, deleteNotice, updateNotice } from './write.ts'

/** The notice board (spec §2). */
export const notices: Handlers<'notices'> = {
  async listNotices({ db, actor, language }, filter) {
    const { total, rows } = await findNotices(db, actor, filter, language)
    return { TOTAL_COUNT: total, NOTICE_LIST: numbered(rows, total, filter) }
  },

  async getNotice({ db, actor, language }, { NOTICE_ID }) {
    await countView(db, actor, NOTICE_ID)
    const notice = await findNotice(db, actor, NOTICE_ID, language)
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    return { ...notice, ...(await findNeighbours(db, actor, NOTICE_ID)) }
  },

  createNotice,
  updateNotice,
  deleteNotice,
  confirmNotice,
  listUnread,
  remindUnread,

  async downloadFile({ db, services }, { SAVE_PATH, SAVE_FILE_NAME }) {
    const file = await findFile(db, SAVE_PATH, SAVE_FILE_NAME)
    if (file === undefined) return refuse('FILE_NOT_FOUND')
    const content = await services.storage.get({ path: file.save_path, name: file.save_file_name })
    // The row names a file that is gone: to the person the same as no file at all (spec §8).
    if (content === null) return refuse('FILE_NOT_FOUND')
    return { name: file.original_name, size: content.size, stream: content.stream }
  },

  uploadFile: notBuilt,
  deleteFile: notBuilt,
}
