import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type acknowledgeNotice as acknowledgeEndpoint,
  type createComment as createEndpoint,
  type deleteComment as deleteEndpoint,
  type listComments as listEndpoint,
  type updateComment as updateEndpoint,
} from '../../../contract/notices.ts'
import { pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { notify } from '../../records/notifications.ts'
import { managesNotice, maySeeNotice } from './visibility.ts'

/**
 * Adds or removes a 👍: one row per user and notice, the same row as for a view (rules/notices#acknowledgement).
 * @throws {Refusal} NOTICE_NOT_FOUND; NOTICE_RESPONSE_OFF, also for the caller's own notice
 */
export const acknowledgeNotice: Handler<typeof acknowledgeEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  if (!services.settings.now().noticeAcknowledgements) refuse('NOTICE_RESPONSE_OFF')
  const at = input.acknowledged ? sql`now()` : sql`null`
  const { numAffectedRows } = await sql`
    insert into notice_reads (notice_id, user_id, acknowledged_at)
    select id, ${actor.id}::bigint, ${at} from notices
    where id = ${input.noticeId} and allow_acknowledgements and author_id <> ${actor.id}
      and published_at <= now() and ${maySeeNotice(actor)}
    for key share
    on conflict (notice_id, user_id) do update
      set acknowledged_at = case when excluded.acknowledged_at is null then null
        else coalesce(notice_reads.acknowledged_at, excluded.acknowledged_at) end
  `.execute(db)
  if (numAffectedRows === 0n) await refuseResponse(db, actor, input.noticeId)
}

/**
 * Returns the numbers of responses that a notice shows (rules/notices#switched-off).
 * @returns undefined for a kind that is disabled for the notice or the portal, and for both kinds before publication
 */
export function shownResponses(
  notice: {
    scheduled: boolean
    allowComments: boolean
    allowAcknowledgements: boolean
    commentCount: number
    acknowledgementCount: number
  },
  isOn: { comments: boolean; acknowledgements: boolean },
) {
  const { scheduled, allowComments, allowAcknowledgements, commentCount, acknowledgementCount } = notice
  return {
    commentCount: !scheduled && isOn.comments && allowComments ? commentCount : undefined,
    acknowledgementCount:
      !scheduled && isOn.acknowledgements && allowAcknowledgements ? acknowledgementCount : undefined,
  }
}

/**
 * Returns the query for a published notice that the actor may see, with its comment settings. An unpublished notice has
 * no comments, even for users who may see it.
 */
function commentable(db: Db, actor: SignedIn, noticeId: string) {
  return db
    .selectFrom('notices')
    .select(['allowComments', 'authorId'])
    .where('id', '=', noticeId)
    .where(sql<boolean>`published_at <= now()`)
    .where(maySeeNotice(actor))
}

/**
 * Refuses a response.
 * @throws {Refusal} NOTICE_NOT_FOUND if the notice is not published or the actor may not see it, otherwise
 * NOTICE_RESPONSE_OFF
 */
async function refuseResponse(db: Db, actor: SignedIn, noticeId: string): Promise<never> {
  const notice = await commentable(db, actor, noticeId).executeTakeFirst()
  return refuse(notice === undefined ? 'NOTICE_NOT_FOUND' : 'NOTICE_RESPONSE_OFF')
}

/**
 * Returns the comments of a notice, the newest first (rules/notices#comments).
 * @throws {Refusal} NOTICE_NOT_FOUND, also before publication; NOTICE_RESPONSE_OFF if comments are disabled
 */
export const listComments: Handler<typeof listEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const isManaged = sql`exists (select from notices n where n.id = c.notice_id and ${managesNotice(actor, 'n')})`
  const comments = db
    .selectFrom('noticeComments as c')
    .innerJoin('users as u', 'u.id', 'c.authorId')
    .where('c.noticeId', '=', input.noticeId)
    .select((eb) => [
      sql<string>`c.id::text`.as('commentId'),
      'c.body as text',
      'u.loginId as userId',
      'u.name',
      wireTime(eb.ref('c.createdAt')).as('registeredAt'),
      sql<boolean>`c.edited_at is not null`.as('edited'),
      sql<boolean>`c.author_id = ${actor.id}`.as('editable'),
      sql<boolean>`(c.author_id = ${actor.id} or ${isManaged})`.as('removable'),
    ])
    .orderBy('c.id', 'desc')
  const notice = commentable(db, actor, input.noticeId)
  const { totalCount, rows, beside } = await pageOf(
    db,
    comments,
    input,
    sql<{ allowComments: boolean }>`${notice}`,
  )
  if (beside === undefined) return refuse('NOTICE_NOT_FOUND')
  if (!services.settings.now().noticeComments || !beside.allowComments) return refuse('NOTICE_RESPONSE_OFF')
  return { totalCount, comments: rows }
}

/**
 * Adds a comment to a published notice that the actor may see. Notifies the notice's author of another user's comment
 * (rules/notifications#kinds).
 * @throws {Refusal} NOTICE_NOT_FOUND, also before publication; NOTICE_RESPONSE_OFF if comments are disabled
 */
export const createComment: Handler<typeof createEndpoint> = async (call, { noticeId, text }) => {
  const { db, actor, services } = call
  if (!services.settings.now().noticeComments) refuse('NOTICE_RESPONSE_OFF')
  const commentId = await db.transaction().execute(async (tx) => {
    // The lock orders this call before or after a concurrent deletion of the notice, or change of its settings.
    const notice = await commentable(tx, actor, noticeId).forKeyShare().executeTakeFirst()
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    if (!notice.allowComments) return refuse('NOTICE_RESPONSE_OFF')
    const { id } = await tx
      .insertInto('noticeComments')
      .values({ noticeId, authorId: actor.id, body: text })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (notice.authorId !== actor.id) {
      const actorId = actor.id
      await notify(tx, { kind: 'NOTICE_COMMENT', userId: notice.authorId, noticeId, actorId })
    }
    await call.audit(tx, { target: id, detail: {}, records: [`notice/${noticeId}`] })
    return id
  })
  return { commentId }
}

/**
 * Edits a comment of the caller, if comments are still enabled.
 * @throws {Refusal} COMMENT_NOT_FOUND, also for another user's comment; NOTICE_RESPONSE_OFF
 */
export const updateComment: Handler<typeof updateEndpoint> = async (call, { commentId, text }) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    if (comment.authorId !== actor.id) refuse('COMMENT_NOT_FOUND')
    if (!services.settings.now().noticeComments || !comment.allowComments) refuse('NOTICE_RESPONSE_OFF')
    await tx
      .updateTable('noticeComments')
      .set({ body: text, editedAt: sql`now()` })
      .where('id', '=', commentId)
      .execute()
    await call.audit(tx, { target: commentId, detail: {}, records: [`notice/${comment.noticeId}`] })
  })
}

/**
 * Deletes a comment of the caller, or of any user if the caller manages the notice. The audit row then names the
 * comment's author. Works while comments are disabled, too.
 * @throws {Refusal} COMMENT_NOT_FOUND, FORBIDDEN
 */
export const deleteComment: Handler<typeof deleteEndpoint> = async (call, { commentId }) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    const isOwn = comment.authorId === actor.id
    if (!isOwn && !comment.isManaged) refuse('FORBIDDEN')
    await tx.deleteFrom('noticeComments').where('id', '=', commentId).execute()
    await call.audit(tx, {
      target: commentId,
      detail: isOwn ? {} : { userId: comment.userId },
      records: [`notice/${comment.noticeId}`],
    })
  })
}

/**
 * Returns a comment and locks it until the transaction ends.
 * @throws {Refusal} COMMENT_NOT_FOUND, also if the caller may not see its notice
 */
async function lockComment(tx: Tx, actor: SignedIn, commentId: string) {
  const comment = await tx
    .selectFrom('noticeComments as c')
    .innerJoin('notices as n', 'n.id', 'c.noticeId')
    .innerJoin('users as u', 'u.id', 'c.authorId')
    .select([
      'c.noticeId',
      'c.authorId',
      'u.loginId as userId',
      'n.allowComments',
      managesNotice(actor, 'n').as('isManaged'),
    ])
    .where('c.id', '=', commentId)
    .where(maySeeNotice(actor, 'n'))
    .forUpdate('c')
    .executeTakeFirst()
  return comment ?? refuse('COMMENT_NOT_FOUND')
}
