import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { type listUploads as listEndpoint, UPLOAD_HOURS } from '../../../contract/notices.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import { fileIdOf } from './file-queries.ts'
import type { UploadRef } from './upload-queries.ts'

// More than a user can have pending (rules/files#room), except files of no bytes.
const SHOWN = 20

/** Condition: whether an upload is not attached to a notice yet, and still may be. */
export const IS_WAITING = sql<boolean>`notice_id is null and finished_at is null and quarantined_at is null and not cancelled
  and created_at > now() - make_interval(hours => ${sql.lit(UPLOAD_HOURS)})`

/** Returns the caller's uploads that are not attached to a notice yet (rules/files#upload-before-notice). */
export const listUploads: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const rows = await db
    .selectFrom('uploads')
    .select((eb) => [
      'id as uploadId',
      'original_name as fileName',
      sql<number>`size_bytes::float8`.as('fileSize'),
      sql<number>`coalesce(last_modified, 0)::float8`.as('lastModified'),
      sql<boolean>`stored_at is not null`.as('stored'),
      wireTime(eb.ref('created_at')).as('registeredAt'),
    ])
    .where('user_id', '=', actor.id)
    .where('picture', 'is', null)
    .where(IS_WAITING)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  return { uploads: rows }
}

/**
 * Makes a stored upload the file of a notice that is saved, in its transaction and one statement: the notice has its file from the
 * beginning, or keeps the one before (design/uploads-and-files#upload-before-the-notice). The caller holds the notice.
 * @param replaces the file whose place it takes; '' for none
 * @returns the name of the file
 * @throws {Refusal} UPLOAD_NOT_FOUND, also for another person's, UPLOAD_INCOMPLETE, FILE_ALREADY_ATTACHED
 */
export async function takeUp(
  tx: Transaction<Database>,
  upload: UploadRef,
  { noticeId, replaces }: { noticeId: string; replaces: string },
): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    with gone as (
      delete from notice_files where notice_id = ${noticeId} and picture is null and id::text = ${replaces} returning id
    ), taken as (
      update uploads set finished_at = now(), notice_id = ${noticeId}
      where id::text = ${upload.id} and user_id = ${upload.userId} and stored_at is not null and picture is null and ${IS_WAITING}
      returning *
    )
    insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
    select id, notice_id, save_path, save_file_name, original_name, size_bytes from taken
    -- The old file goes first: a notice has one.
    where (select count(*) from gone) >= 0
      and not exists (select from notice_files where notice_id = ${noticeId} and picture is null and id::text <> ${replaces})
    returning original_name as name`.execute(tx)
  return rows[0]?.name ?? refuse(await reasonAgainst(tx, upload, noticeId, replaces))
}

async function reasonAgainst(
  tx: Transaction<Database>,
  upload: UploadRef,
  noticeId: string,
  replaces: string,
) {
  const there = await fileIdOf(tx, noticeId)
  if (there !== null && there !== replaces) return 'FILE_ALREADY_ATTACHED'
  return (await isIncomplete(tx, upload)) ? 'UPLOAD_INCOMPLETE' : 'UPLOAD_NOT_FOUND'
}

async function isIncomplete(db: Kysely<Database>, { id, userId }: UploadRef): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('id')
    .where(sql<string>`id::text`, '=', id)
    .where('user_id', '=', userId)
    .where('stored_at', 'is', null)
    .where(IS_WAITING)
    .executeTakeFirst()
  return row !== undefined
}
