import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { maySeeNotice } from './visibility.ts'

/** The attached file of a notice; the caller holds the notice, so that two who attach at once take turns. */
export async function fileIdOf(tx: Transaction<Database>, noticeId: string): Promise<string | null> {
  const file = await tx
    .selectFrom('notice_files')
    .select('id')
    .where('notice_id', '=', noticeId)
    .where('picture', 'is', null)
    .executeTakeFirst()
  return file?.id ?? null
}

/** Whether an upload is the file of a notice, or a picture of one, by now. */
export async function isFile(tx: Transaction<Database>, uploadId: string): Promise<boolean> {
  const file = await tx.selectFrom('notice_files').select('id').where('id', '=', uploadId).executeTakeFirst()
  return file !== undefined
}

/** A file as it is given out. */
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

/** The attached files of the notices that a person may see. */
function filesFor(db: Kysely<Database>, actor: SignedIn) {
  return db
    .selectFrom('notice_files as f')
    .innerJoin('notices as n', 'n.id', 'f.notice_id')
    .select(['f.id', 'f.save_path', 'f.save_file_name', 'f.original_name', 'f.size_bytes'])
    .where('f.picture', 'is', null)
    .where(maySeeNotice(actor, 'n'))
}

/**
 * A file by what the server gave out of it: looked up, never used as a path (rules/files#opaque-names). Undefined also
 * for anyone who may not see its notice.
 */
export function findFile(db: Kysely<Database>, actor: SignedIn, savePath: string, saveFileName: string) {
  return filesFor(db, actor)
    .where('f.save_path', '=', savePath)
    .where('f.save_file_name', '=', saveFileName)
    .executeTakeFirst()
}

/** Like `findFile`, by its number. */
export function findFileById(db: Kysely<Database>, actor: SignedIn, id: string) {
  return filesFor(db, actor).where('f.id', '=', id).executeTakeFirst()
}

/** Counts a download that begins. */
export async function countDownload(db: Kysely<Database>, id: string): Promise<void> {
  await db
    .updateTable('notice_files')
    .set({ downloads: sql`downloads + 1` })
    .where('id', '=', id)
    .execute()
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
      .where('picture', 'is', null)
      // As text: what a client sends back need not be a UUID.
      .where(sql<string>`id::text`, '=', file.fileId)
      .where('save_path', '=', file.savePath)
      .where('save_file_name', '=', file.saveFileName)
      .returning(['id', 'original_name'])
      .executeTakeFirst()
  )
}
