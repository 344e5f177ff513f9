import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type listUploads as listEndpoint,
  UPLOAD_HOURS,
  MAX_PICTURES,
  MEMO_FORMAT,
  picturesIn,
} from '../../../contract/notices.ts'
import { wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import { fileIdOf } from './file-queries.ts'
import type { UploadRef } from './upload-queries.ts'
import type { SignedIn } from '../../callers/sessions.ts'

/** Number of pending uploads that are listed. A user can have fewer (rules/files#room), except files of no bytes. */
const SHOWN = 20

/**
 * SQL condition that a row of `uploads` is not attached to a notice and may still be: not expired after
 * UPLOAD_HOURS, not canceled, not in quarantine. Its bytes may still be arriving (`stored_at` is null then).
 */
export const IS_WAITING = sql<boolean>`notice_id is null and finished_at is null and quarantined_at is null and not cancelled
  and created_at > now() - make_interval(hours => ${sql.lit(UPLOAD_HOURS)})`

/**
 * Returns the newest SHOWN uploads of the caller that no notice has yet, without images, newest first
 * (rules/files#upload-before-notice). `stored` is true if all bytes have arrived.
 */
export const listUploads: Handler<typeof listEndpoint> = async ({ db, actor }) => {
  const rows = await db
    .selectFrom('uploads')
    .select((eb) => [
      'id as uploadId',
      'originalName as fileName',
      sql<number>`size_bytes::float8`.as('fileSize'),
      sql<number>`coalesce(last_modified, 0)::float8`.as('lastModified'),
      sql<boolean>`stored_at is not null`.as('stored'),
      wireTime(eb.ref('createdAt')).as('registeredAt'),
    ])
    .where('userId', '=', actor.id)
    .where('picture', 'is', null)
    .where(IS_WAITING)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(SHOWN)
    .execute()
  return { uploads: rows }
}

/**
 * Makes a stored upload of the caller the file of a notice, in the transaction that saves the notice
 * (design/uploads-and-files#upload-before-the-notice). Deletes the row of the file that it replaces. The caller
 * must have locked the notice, and writes the audit row.
 * @param replaces ID of the current file, which the upload replaces; '' for none
 * @returns the original name of the file
 * @throws {Refusal} FILE_ALREADY_ATTACHED if the notice has a file other than `replaces`; UPLOAD_INCOMPLETE if
 * bytes are missing; UPLOAD_NOT_FOUND if the upload is unknown, expired, canceled, attached or another user's
 */
export async function attachPendingUpload(
  tx: Tx,
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

/** Returns the error code of why `attachPendingUpload` attached nothing. */
async function reasonAgainst(tx: Tx, upload: UploadRef, noticeId: string, replaces: string) {
  const there = await fileIdOf(tx, noticeId)
  if (there !== null && there !== replaces) return 'FILE_ALREADY_ATTACHED'
  return (await isIncomplete(tx, upload)) ? 'UPLOAD_INCOMPLETE' : 'UPLOAD_NOT_FOUND'
}

/** Returns whether the upload is one of the user that may still continue and lacks bytes. */
async function isIncomplete(db: Db, { id, userId }: UploadRef): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('id')
    .where(sql<string>`id::text`, '=', id)
    .where('userId', '=', userId)
    .where('storedAt', 'is', null)
    .where(IS_WAITING)
    .executeTakeFirst()
  return row !== undefined
}

/** Text to save: its notice, its format, and the previous text. */
interface SavedText {
  noticeId: string
  memo: string | null
  format: string
  before?: string | null
}

/**
 * Attaches to a notice the stored images of the caller that its text names, and deletes the rows of those that it
 * no longer names, in the transaction that saves the notice. The caller must have locked the notice. A plain text
 * attaches no images, but keeps those that it names, because it may become Markdown again.
 * @returns `pictures` for the audit row, with the numbers of added and removed images; empty if nothing changes
 * @throws {Refusal} for Markdown only: PICTURE_NOT_FOUND if an image is neither attached nor a pending one of the
 * caller; PICTURES_TOO_MANY above MAX_PICTURES
 */
export async function savePictures(
  tx: Tx,
  { id: userId }: SignedIn,
  { noticeId, memo, format, before = null }: SavedText,
): Promise<{ pictures?: { added: number; removed: number } }> {
  const named = picturesIn(memo ?? '')
  if (named.length === 0 && picturesIn(before ?? '').length === 0) return {}
  const isShown = format === MEMO_FORMAT.markdown
  if (isShown && named.length > MAX_PICTURES) refuse('PICTURES_TOO_MANY')
  const taken = isShown ? named : []
  const { rows } = await sql<{ added: number; removed: number; there: number }>`
    with removed as (
      delete from notice_files where notice_id = ${noticeId} and picture <> all (${named}::text[]) returning id
    ), there as (
      select picture from notice_files where notice_id = ${noticeId} and picture = any (${named}::text[])
    ), chosen as (
      -- Sent twice under one name: the later one.
      select distinct on (picture) id from uploads
      where user_id = ${userId} and picture = any (${taken}::text[]) and picture not in (select picture from there)
        and stored_at is not null and ${IS_WAITING}
      order by picture, stored_at desc
    ), taken as (
      update uploads set finished_at = now(), notice_id = ${noticeId}
      where id in (select id from chosen) and ${IS_WAITING} returning *
    ), added as (
      insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, picture, width, height)
      select id, notice_id, save_path, save_file_name, original_name, size_bytes, picture, width, height from taken
      returning id
    )
    select (select count(*) from added)::int as added, (select count(*) from removed)::int as removed,
      (select count(*) from there)::int as there`.execute(tx)
  const { added, removed, there } = rows[0] ?? { added: 0, removed: 0, there: 0 }
  if (isShown && added + there < named.length) refuse('PICTURE_NOT_FOUND')
  return added + removed === 0 ? {} : { pictures: { added, removed } }
}
