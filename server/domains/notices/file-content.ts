import { refuse } from '../../../contract/errors.ts'
import type { FileAnswer } from '../../http/handler.ts'
import type { Storage } from '../../services/storage.ts'

/** A file as an answer; whatever the row says, a file that is gone is none (spec §8). */
export function fileAnswer(
  storage: Storage,
  file: { id: string; save_path: string; save_file_name: string; original_name: string; size_bytes: string },
): FileAnswer {
  return {
    name: file.original_name,
    size: Number(file.size_bytes),
    // The content of a file never changes: another one has another row.
    tag: file.id,
    async open(range) {
      const key = { path: file.save_path, name: file.save_file_name }
      const content = await storage.get(key, range)
      if (content === null) refuse('FILE_NOT_FOUND')
      if (content.size === Number(file.size_bytes)) return content.stream
      content.stream.destroy()
      throw new Error(`The file ${file.id} has ${content.size} bytes where its row says ${file.size_bytes}`)
    },
  }
}
