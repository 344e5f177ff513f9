import { type Kysely, sql, type Transaction } from 'kysely'
import { type Actor, can } from '../../../contract/permissions.ts'
import type { Database } from '../../db/types.ts'

/** Who edits notices: the own ones, or everybody's (decisions §5). */
export interface Editor {
  id: string
  editsAll: boolean
}

/** The editor that a caller is. */
export function editorOf(actor: Actor & { id: string }): Editor {
  return { id: actor.id, editsAll: can(actor, 'autho_notice_manage') }
}

/**
 * A notice as its editor sees it, with its file; locked until the transaction ends, so that two who attach at once
 * take turns.
 */
export async function lockNotice(tx: Transaction<Database>, noticeId: string, editor: Editor) {
  const notice = await tx
    .selectFrom('notices')
    .select((eb) => eb.or([eb('author_id', '=', editor.id), eb.val(editor.editsAll)]).as('may_edit'))
    .where('id', '=', noticeId)
    .forUpdate()
    .executeTakeFirst()
  if (notice === undefined) return undefined
  const file = await tx
    .selectFrom('notice_files')
    .select('id')
    .where('notice_id', '=', noticeId)
    .executeTakeFirst()
  return { mayEdit: notice.may_edit, fileId: file?.id ?? null }
}

/** A file by what the server gave out of it: looked up, never used as a path (decisions §2). */
export async function findFile(db: Kysely<Database>, savePath: string, saveFileName: string) {
  return db
    .selectFrom('notice_files')
    .select(['id', 'save_path', 'save_file_name', 'original_name', 'size_bytes'])
    .where('save_path', '=', savePath)
    .where('save_file_name', '=', saveFileName)
    .executeTakeFirst()
}

/** Deletes the file of a notice that fits all that the client says of it. @returns its name, or undefined */
export async function deleteFileRow(
  tx: Transaction<Database>,
  file: { noticeId: string; fileId: string; savePath: string; saveFileName: string },
) {
  return (
    tx
      .deleteFrom('notice_files')
      .where('notice_id', '=', file.noticeId)
      // As text: what a client sends back need not be a UUID.
      .where(sql<string>`id::text`, '=', file.fileId)
      .where('save_path', '=', file.savePath)
      .where('save_file_name', '=', file.saveFileName)
      .returning(['id', 'original_name'])
      .executeTakeFirst()
  )
}
