import { type Kysely, sql, type Transaction } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  type acknowledgeNotice as acknowledgeEndpoint,
  type createComment as createEndpoint,
  type deleteComment as deleteEndpoint,
  type listComments as listEndpoint,
  type updateComment as updateEndpoint,
} from '../../../contract/notices.ts'
import { can } from '../../../contract/permissions.ts'
import { pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { notify } from '../../services/notifications.ts'
import { maySeeNotice } from './visibility.ts'

/** Adds or removes a 👍: one row per user and notice, the same row as for a view (rules/notices#acknowledgement). */
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
  return {}
}

/**
 * Returns the numbers of responses that a notice shows, for the kinds that are enabled for it and for the portal
 * (rules/notices#switched-off).
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
 * Returns a query of a published notice that the actor may see, with its comment settings. An unpublished notice has no comments,
 * even for users who may see it.
 */
function commentable(db: Kysely<Database>, actor: SignedIn, noticeId: string) {
  return db
    .selectFrom('notices')
    .select(['allow_comments', 'author_id'])
    .where('id', '=', noticeId)
    .where(sql<boolean>`published_at <= now()`)
    .where(maySeeNotice(actor))
}

/** @throws {Refusal} NOTICE_NOT_FOUND if the actor may not see the notice, NOTICE_RESPONSE_OFF if the response is disabled */
async function refuseResponse(db: Kysely<Database>, actor: SignedIn, noticeId: string): Promise<never> {
  const notice = await commentable(db, actor, noticeId).executeTakeFirst()
  return refuse(notice === undefined ? 'NOTICE_NOT_FOUND' : 'NOTICE_RESPONSE_OFF')
}

/** Returns the comments of a notice, the newest first (rules/notices#comments). */
export const listComments: Handler<typeof listEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const isManager = can(actor, 'autho_notice_manage')
  const comments = db
    .selectFrom('notice_comments as c')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .where('c.notice_id', '=', input.noticeId)
    .select((eb) => [
      sql<string>`c.id::text`.as('commentId'),
      'c.body as text',
      'u.login_id as userId',
      'u.name',
      wireTime(eb.ref('c.created_at')).as('registeredAt'),
      sql<boolean>`c.edited_at is not null`.as('edited'),
      sql<boolean>`c.author_id = ${actor.id}`.as('editable'),
      sql<boolean>`(c.author_id = ${actor.id} or ${isManager})`.as('removable'),
    ])
    .orderBy('c.id', 'desc')
  const notice = commentable(db, actor, input.noticeId)
  const { totalCount, rows, beside } = await pageOf(
    db,
    comments,
    input,
    sql<{ allow_comments: boolean }>`${notice}`,
  )
  if (beside === undefined) return refuse('NOTICE_NOT_FOUND')
  if (!services.settings.now().noticeComments || !beside.allow_comments) return refuse('NOTICE_RESPONSE_OFF')
  return { totalCount, comments: rows }
}

/** Adds a comment to a published notice that the actor may see, and notifies its author (rules/notifications#kinds). */
export const createComment: Handler<typeof createEndpoint> = async (call, { noticeId, text }) => {
  const { db, actor, services } = call
  if (!services.settings.now().noticeComments) refuse('NOTICE_RESPONSE_OFF')
  const commentId = await db.transaction().execute(async (tx) => {
    // The lock orders this call before or after a concurrent deletion of the notice, or change of its settings.
    const notice = await commentable(tx, actor, noticeId).forKeyShare().executeTakeFirst()
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    if (!notice.allow_comments) return refuse('NOTICE_RESPONSE_OFF')
    const { id } = await tx
      .insertInto('notice_comments')
      .values({ notice_id: noticeId, author_id: actor.id, body: text })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (notice.author_id !== actor.id) {
      const actorId = actor.id
      await notify(tx, { kind: 'NOTICE_COMMENT', userId: notice.author_id, noticeId, actorId })
    }
    await call.audit(tx, { target: id, detail: {}, records: [`notice/${noticeId}`] })
    return id
  })
  return { commentId }
}

/** Edits a comment of the caller, if comments are still enabled. */
export const updateComment: Handler<typeof updateEndpoint> = async (call, { commentId, text }) => {
  const { db, actor, services } = call
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    if (comment.author_id !== actor.id) refuse('COMMENT_NOT_FOUND')
    if (!services.settings.now().noticeComments || !comment.allow_comments) refuse('NOTICE_RESPONSE_OFF')
    await tx
      .updateTable('notice_comments')
      .set({ body: text, edited_at: sql`now()` })
      .where('id', '=', commentId)
      .execute()
    await call.audit(tx, { target: commentId, detail: {}, records: [`notice/${comment.notice_id}`] })
  })
  return {}
}

/** Deletes a comment: its author, or who manages notices, of which the row says whose it was. */
export const deleteComment: Handler<typeof deleteEndpoint> = async (call, { commentId }) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    const isOwn = comment.author_id === actor.id
    if (!isOwn && !call.mayActOnOthers) refuse('FORBIDDEN')
    await tx.deleteFrom('notice_comments').where('id', '=', commentId).execute()
    await call.audit(tx, {
      target: commentId,
      detail: isOwn ? {} : { userId: comment.userId },
      records: [`notice/${comment.notice_id}`],
    })
  })
  return {}
}

/** @throws {Refusal} COMMENT_NOT_FOUND, also if the caller may not see its notice */
async function lockComment(tx: Transaction<Database>, actor: SignedIn, commentId: string) {
  const comment = await tx
    .selectFrom('notice_comments as c')
    .innerJoin('notices as n', 'n.id', 'c.notice_id')
    .innerJoin('users as u', 'u.id', 'c.author_id')
    .select(['c.notice_id', 'c.author_id', 'u.login_id as userId', 'n.allow_comments'])
    .where('c.id', '=', commentId)
    .where(maySeeNotice(actor, 'n'))
    .forUpdate('c')
    .executeTakeFirst()
  return comment ?? refuse('COMMENT_NOT_FOUND')
}
