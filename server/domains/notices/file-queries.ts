import { type RawBuilder, sql } from 'kysely'
import { mapConstraintErrors } from '../../db/constraints.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { maySeeNotice } from '../../db/notice-visibility.ts'

/**
 * Returns the ID of the attached file of a notice; images of its text do not count. The caller must have locked
 * the notice, so that two concurrent attachments run one at a time.
 * @returns null if the notice has no file
 */
export async function fileIdOf(tx: Tx, noticeId: string): Promise<string | null> {
  const file = await tx
    .selectFrom('noticeFiles')
    .select('id')
    .where('noticeId', '=', noticeId)
    .where('picture', 'is', null)
    .executeTakeFirst()
  return file?.id ?? null
}

/** Returns whether an upload has become the file of a notice, or an image of one. */
export async function isFile(tx: Tx, uploadId: string): Promise<boolean> {
  const file = await tx.selectFrom('noticeFiles').select('id').where('id', '=', uploadId).executeTakeFirst()
  return file !== undefined
}

/** File that can be downloaded, from its row and without its bytes. */
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

/**
 * Returns the query for the files of all notices that a user may see.
 * @param picture name of an image; null for the attached files
 */
export function filesFor(db: Db, actor: SignedIn, picture: string | null = null) {
  return db
    .selectFrom('noticeFiles as f')
    .innerJoin('notices as n', 'n.id', 'f.noticeId')
    .select(['f.id', 'f.savePath', 'f.saveFileName', 'f.originalName', 'f.sizeBytes'])
    .where('f.picture', picture === null ? 'is' : '=', picture)
    .where(maySeeNotice(actor, 'n'))
}

/**
 * Returns an attached file by its name in the storage. The name is looked up, never used as a path
 * (rules/files#opaque-names).
 * @returns undefined if there is none, or if the caller may not see its notice
 */
export function findFile(db: Db, actor: SignedIn, savePath: string, saveFileName: string) {
  return filesFor(db, actor)
    .where('f.savePath', '=', savePath)
    .where('f.saveFileName', '=', saveFileName)
    .executeTakeFirst()
}

/** Returns an attached file by its ID, as `findFile`. */
export function findFileById(db: Db, actor: SignedIn, id: string) {
  return filesFor(db, actor).where('f.id', '=', id).executeTakeFirst()
}

/** Seconds after the start of a download in which it can be resumed without counting again. */
export const RESUME_SECONDS = 3_600

/**
 * Stores a link to a file, unused unless `usedAt` is given.
 * @throws {Refusal} SESSION_REQUIRED or FILE_NOT_FOUND if the session or the file was deleted since it was read
 */
export async function insertLink(
  db: Db,
  link: {
    tokenHash: Buffer | RawBuilder<Buffer>
    fileId: string
    sessionHash: Buffer
    usedAt?: RawBuilder<Date>
  },
): Promise<void> {
  const deleted = {
    file_links_session_hash_fkey: 'SESSION_REQUIRED',
    file_links_file_id_fkey: 'FILE_NOT_FOUND',
  } as const
  await mapConstraintErrors(deleted, () => db.insertInto('fileLinks').values(link).execute())
}

/**
 * Counts a download by a session, unless it resumes an earlier one: it starts after the first byte, and the
 * session downloaded the file within RESUME_SECONDS. To recognize that later, stores a used link whose token no
 * client has.
 * @throws {Refusal} as `insertLink`
 */
export async function countSessionDownload(
  db: Db,
  download: { fileId: string; sessionHash: Buffer },
  firstByte: number,
): Promise<void> {
  if (firstByte > 0) {
    const earlier = await db
      .selectFrom('fileLinks')
      .select('fileId')
      .where('fileId', '=', download.fileId)
      .where('sessionHash', '=', download.sessionHash)
      .where('usedAt', '>', sql<Date>`now() - make_interval(secs => ${RESUME_SECONDS})`)
      .executeTakeFirst()
    if (earlier !== undefined) return
  }
  await insertLink(db, {
    ...download,
    tokenHash: sql<Buffer>`uuid_send(gen_random_uuid())`,
    usedAt: sql<Date>`now()`,
  })
  await countDownload(db, download.fileId)
}

/** Adds one to the downloads of an attached file (rules/files#download). */
export async function countDownload(db: Db, id: string): Promise<void> {
  await db
    .updateTable('noticeFiles')
    .set({ downloads: sql`downloads + 1` })
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes the row of the attached file of a notice, if its ID and its place in the storage match the request. Its
 * bytes stay for the sweep.
 * @returns its ID and original name; undefined if there is no such file, then nothing is deleted
 */
export async function deleteFileRow(
  tx: Tx,
  file: { noticeId: string; fileId: string; savePath: string; saveFileName: string },
) {
  return (
    tx
      .deleteFrom('noticeFiles')
      .where('noticeId', '=', file.noticeId)
      .where('picture', 'is', null)
      // Compared as text, because the value that a client sends may not be a UUID.
      .where(sql<string>`id::text`, '=', file.fileId)
      .where('savePath', '=', file.savePath)
      .where('saveFileName', '=', file.saveFileName)
      .returning(['id', 'originalName'])
      .executeTakeFirst()
  )
}
