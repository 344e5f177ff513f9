import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import type { Db } from '../../db/database.ts'
import { maySeeNotice } from '../../db/notice-visibility.ts'

/**
 * Returns the query for a published notice that the actor may see: its author, and whether it allows comments. It
 * also finds notices that do not allow any. An unpublished notice has no comments, even for users who may see it.
 */
export function commentable(db: Db, actor: SignedIn, noticeId: string) {
  return db
    .selectFrom('notices')
    .select(['allowComments', 'authorId'])
    .where('id', '=', noticeId)
    .where(sql<boolean>`published_at <= now()`)
    .where(maySeeNotice(actor))
}

/**
 * Refuses a comment or reaction that found no fitting notice, with the reason.
 * @throws {Refusal} always: NOTICE_NOT_FOUND if the notice is not published or the actor may not see it, otherwise
 * NOTICE_RESPONSE_OFF
 */
export async function refuseResponse(db: Db, actor: SignedIn, noticeId: string): Promise<never> {
  const notice = await commentable(db, actor, noticeId).executeTakeFirst()
  return refuse(notice === undefined ? 'NOTICE_NOT_FOUND' : 'NOTICE_RESPONSE_OFF')
}
