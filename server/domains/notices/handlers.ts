import { refuse } from '../../../contract/errors.ts'
import { numbered } from '../../db/page.ts'
import { type Handlers, notBuilt } from '../../http/handler.ts'
import { findFile, findNotices } from './queries.ts'

/** The notice board (spec §2). */
export const notices: Handlers<'notices'> = {
  async listNotices({ db, language }, filter) {
    const { total, rows } = await findNotices(db, filter, language)
    return { TOTAL_COUNT: total, NOTICE_LIST: numbered(rows, total, filter) }
  },

  async downloadFile({ db, services }, { SAVE_PATH, SAVE_FILE_NAME }) {
    const file = await findFile(db, SAVE_PATH, SAVE_FILE_NAME)
    if (file === undefined) return refuse('FILE_NOT_FOUND')
    const content = await services.storage.get({ path: file.save_path, name: file.save_file_name })
    // The row names a file that is gone: to the person the same as no file at all (spec §8).
    if (content === null) return refuse('FILE_NOT_FOUND')
    return { name: file.original_name, size: content.size, stream: content.stream }
  },

  getNotice: notBuilt,
  createNotice: notBuilt,
  updateNotice: notBuilt,
  deleteNotice: notBuilt,
  uploadFile: notBuilt,
  deleteFile: notBuilt,
}
