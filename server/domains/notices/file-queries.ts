import { type Kysely, sql, type Transaction } from 'kysely'
import { maySeeNotice } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

/** The file of a notice; the caller holds the notice, so that two who attach at once take turns. */
export async function fileIdOf(tx: Transaction<Database>, noticeId: string): Promise<string | null> {
  const file = await tx
    .selectFrom('notice_files')
    .select('id')
    .where('notice_id', '=', noticeId)
    .executeTakeFirst()
  return file?.id ?? null
}

/** A file as it is given out. */
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

const fileColumns = [
  'notice_files.id',
  'notice_files.save_path',
  'notice_files.save_file_name',
  'notice_files.original_name',
  'notice_files.size_bytes',
] as const

/**
 * A file by what the server gave out of it: looked up, never used as a path (decisions §2). Undefined also for
 * whoever may not see its notice.
 */
export async function findFile(
  db: Kysely<Database>,
  actor: SignedIn,
  savePath: string,
  saveFileName: string,
) {
  return db
    .selectFrom('notice_files')
    .innerJoin('notices as n', 'n.id', 'notice_files.notice_id')
    .select(fileColumns)
    .where('save_path', '=', savePath)
    .where('save_file_name', '=', saveFileName)
    .where(maySeeNotice(actor, 'n'))
    .executeTakeFirst()
}

/** Like `findFile`, by its number. */
export async function findFileById(
  db: Kysely<Database>,
  actor: SignedIn,
  id: string,
): Promise<FileRow | undefined> {
  return db
    .selectFrom('notice_files')
    .innerJoin('notices as n', 'n.id', 'notice_files.notice_id')
    .select(fileColumns)
    .where('notice_files.id', '=', id)
    .where(maySeeNotice(actor, 'n'))
    .executeTakeFirst()
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
      // As text: what a client sends back need not be a UUID.
      .where(sql<string>`id::text`, '=', file.fileId)
      .where('save_path', '=', file.savePath)
      .where('save_file_name', '=', file.saveFileName)
      .returning(['id', 'original_name'])
      .executeTakeFirst()
  )
}
