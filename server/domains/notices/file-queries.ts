import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { maySeeNotice } from './visibility.ts'

/**
 * Returns a query of the attached file of a notice. The caller has locked the notice, so that two concurrent attachments run one
 * at a time.
 */
export async function fileIdOf(tx: Transaction<Database>, noticeId: string): Promise<string | null> {
  const file = await tx
    .selectFrom('notice_files')
    .select('id')
    .where('notice_id', '=', noticeId)
    .where('picture', 'is', null)
    .executeTakeFirst()
  return file?.id ?? null
}

/** Returns whether an upload has become the file of a notice, or an image of one. */
export async function isFile(tx: Transaction<Database>, uploadId: string): Promise<boolean> {
  const file = await tx.selectFrom('notice_files').select('id').where('id', '=', uploadId).executeTakeFirst()
  return file !== undefined
}

/** A file that can be downloaded. */
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

/** Returns a query of the attached files of the notices that a user may see. */
function filesFor(db: Kysely<Database>, actor: SignedIn) {
  return db
    .selectFrom('notice_files as f')
    .innerJoin('notices as n', 'n.id', 'f.notice_id')
    .select(['f.id', 'f.save_path', 'f.save_file_name', 'f.original_name', 'f.size_bytes'])
    .where('f.picture', 'is', null)
    .where(maySeeNotice(actor, 'n'))
}

/**
 * Finds a file by the name that the server has given it. The name is looked up, never used as a path (rules/files#opaque-names).
 * Undefined also if the caller may not see its notice.
 */
export function findFile(db: Kysely<Database>, actor: SignedIn, savePath: string, saveFileName: string) {
  return filesFor(db, actor)
    .where('f.save_path', '=', savePath)
    .where('f.save_file_name', '=', saveFileName)
    .executeTakeFirst()
}

/** Finds a file like `findFile`, by its number. */
export function findFileById(db: Kysely<Database>, actor: SignedIn, id: string) {
  return filesFor(db, actor).where('f.id', '=', id).executeTakeFirst()
}

/** Seconds in which a broken download can be resumed. */
export const RESUME_SECONDS = 3_600

/** Saves a link to a file. @throws {Refusal} SESSION_REQUIRED or FILE_NOT_FOUND if the session or the file is deleted meanwhile */
export async function insertLink(
  db: Kysely<Database>,
  link: {
    token_hash: Buffer | RawBuilder<Buffer>
    file_id: string
    session_hash: Buffer
    used_at?: RawBuilder<Date>
  },
): Promise<void> {
  const deleted = {
    file_links_session_hash_fkey: 'SESSION_REQUIRED',
    file_links_file_id_fkey: 'FILE_NOT_FOUND',
  } as const
  await mapConstraintErrors(deleted, () => db.insertInto('file_links').values(link).execute())
}

/**
 * Counts a download of a session. Does not count a range past the first byte if the session has downloaded the file within
 * RESUME_SECONDS. The row that says so is a link whose token nobody has.
 */
export async function countSessionDownload(
  db: Kysely<Database>,
  download: { file_id: string; session_hash: Buffer },
  firstByte: number,
): Promise<void> {
  if (firstByte > 0) {
    const earlier = await db
      .selectFrom('file_links')
      .select('file_id')
      .where('file_id', '=', download.file_id)
      .where('session_hash', '=', download.session_hash)
      .where('used_at', '>', sql<Date>`now() - make_interval(secs => ${RESUME_SECONDS})`)
      .executeTakeFirst()
    if (earlier !== undefined) return
  }
  await insertLink(db, {
    ...download,
    token_hash: sql<Buffer>`uuid_send(gen_random_uuid())`,
    used_at: sql<Date>`now()`,
  })
  await countDownload(db, download.file_id)
}

/** Counts a download. */
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
      // Compared as text, because the value that a client sends may not be a UUID.
      .where(sql<string>`id::text`, '=', file.fileId)
      .where('save_path', '=', file.savePath)
      .where('save_file_name', '=', file.saveFileName)
      .returning(['id', 'original_name'])
      .executeTakeFirst()
  )
}
