import { sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { MAX_PICTURES, MEMO_FORMAT, picturesIn } from '../../../contract/notices.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { IS_WAITING } from './waiting-uploads.ts'

/** A text to save: its notice, the caller whose uploaded images it may use, and the previous text. */
interface SavedText {
  noticeId: string
  memo: string | null
  format: string
  before?: string | null
}

/**
 * Attaches to a notice the images that its text names, and detaches those that it no longer names, in the transaction that saves
 * it. The caller has locked the notice. A plain text shows and attaches no images, but keeps those that it names, because it may
 * become Markdown again.
 * @returns the entry for the audit log
 * @throws {Refusal} PICTURE_NOT_FOUND, also for another user's image, PICTURES_TOO_MANY
 */
export async function savePictures(
  tx: Transaction<Database>,
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
