import type { Kysely } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { Database } from '../../db/types.ts'
import type { FileAnswer, Services } from '../../http/handler.ts'
import { countDownload, type FileRow } from './file-queries.ts'

/** A file as an answer; whatever the row says, a file that is gone is none (spec §8). */
export function fileAnswer(
  { db, services }: { db: Kysely<Database>; services: Pick<Services, 'storage'> },
  file: FileRow,
): FileAnswer {
  return {
    name: file.original_name,
    size: Number(file.size_bytes),
    // The content of a file never changes: another one has another row.
    tag: file.id,
    async open(range) {
      const key = { path: file.save_path, name: file.save_file_name }
      const content = await services.storage.get(key, range)
      if (content === null) refuse('FILE_NOT_FOUND')
      if (content.size !== Number(file.size_bytes)) {
        content.stream.destroy()
        throw new Error(`The file ${file.id} has ${content.size} bytes where its row says ${file.size_bytes}`)
      }
      // Whoever goes on with a download has been counted.
      if ((range?.start ?? 0) === 0) await countDownload(db, file.id)
      return content.stream
    },
  }
}
