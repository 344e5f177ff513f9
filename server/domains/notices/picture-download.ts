import type { Kysely } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { downloadPicture } from '../../../contract/notices.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { fileAnswer } from './files.ts'
import { maySeeNotice } from './visibility.ts'
import { IS_WAITING } from './waiting-uploads.ts'

/** Downloads an image of a notice for its audience, or a pending image of the caller (rules/notices#pictures). */
export const sendPicture: Handler<typeof downloadPicture> = async (call, { noticeId, picture }) => {
  const { db, actor } = call
  const file =
    (noticeId === undefined ? undefined : await findPicture(db, actor, noticeId, picture)) ??
    (await findWaiting(db, actor, picture)) ??
    refuse('PICTURE_NOT_FOUND')
  // Images load whenever a user opens the notice, so this is not recorded as a download.
  return fileAnswer(call, file, async () => {})
}

function findPicture(db: Kysely<Database>, actor: SignedIn, noticeId: string, picture: string) {
  return db
    .selectFrom('notice_files as f')
    .innerJoin('notices as n', 'n.id', 'f.notice_id')
    .select(['f.id', 'f.save_path', 'f.save_file_name', 'f.original_name', 'f.size_bytes'])
    .where('f.notice_id', '=', noticeId)
    .where('f.picture', '=', picture)
    .where(maySeeNotice(actor, 'n'))
    .executeTakeFirst()
}

async function findWaiting(db: Kysely<Database>, actor: SignedIn, picture: string) {
  const row = await db
    .selectFrom('uploads')
    .select(['id', 'save_path', 'save_file_name', 'original_name', 'size_bytes'])
    .where('user_id', '=', actor.id)
    .where('picture', '=', picture)
    .where('stored_at', 'is not', null)
    .where(IS_WAITING)
    .orderBy('stored_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, size_bytes: row.size_bytes ?? '0' }
}
