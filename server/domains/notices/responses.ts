import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import {
  COMMENTS_AN_HOUR,
  type acknowledgeNotice as acknowledgeEndpoint,
  type createComment as createEndpoint,
  type deleteComment as deleteEndpoint,
  type listComments as listEndpoint,
  type updateComment as updateEndpoint,
} from '../../../contract/notices.ts'
import { pageOf } from '../../db/list.ts'
import { wireTime } from '../../db/sql.ts'
import type { Tx } from '../../db/database.ts'
import { useOwnLimit } from '../../http/admission/caller-rate-limits.ts'
import type { Call, Handler } from '../../http/handler.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { type NewNotification, notify } from '../../records/notifications.ts'
import { readersAmong } from './comment-readers.ts'
import { commentable, refuseResponse } from './commentable.ts'
import { saveMentions } from './mentions.ts'
import { managesNotice, maySeeNotice } from '../../db/notice-visibility.ts'

/**
 * Adds or removes the caller's 👍 to a published notice of another user, in the row of the caller's view, which it
 * creates if missing (rules/notices#acknowledgement). A repeated 👍 keeps the first time. Writes no audit row.
 * @throws {Refusal} NOTICE_NOT_FOUND if it is not published or the caller may not see it; NOTICE_RESPONSE_OFF if
 * reactions are disabled here or in the portal, and for the caller's own notice
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
 * Returns a page of the comments of a notice: the newest thread first, each with its replies in their order
 * (rules/notices#replies). A deleted comment with replies has empty text, name and author. `answeredName` is
 * undefined if the answered comment was deleted, or it is no reply.
 * @throws {Refusal} NOTICE_NOT_FOUND, also before publication; NOTICE_RESPONSE_OFF if comments are disabled here
 * or in the portal
 */
export const listComments: Handler<typeof listEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const isManaged = sql`exists (select from notices n where n.id = c.notice_id and ${managesNotice(actor, 'n')})`
  const comments = db
    .selectFrom('noticeComments as c')
    .leftJoin('users as u', 'u.id', 'c.authorId')
    .where('c.noticeId', '=', input.noticeId)
    .select((eb) => [
      sql<string>`c.id::text`.as('commentId'),
      'c.body as text',
      eb.fn.coalesce('u.loginId', sql<string>`''`).as('userId'),
      eb.fn.coalesce('u.name', sql<string>`''`).as('name'),
      wireTime(eb.ref('c.createdAt')).as('registeredAt'),
      sql<boolean>`c.edited_at is not null`.as('edited'),
      sql<boolean>`c.author_id is not distinct from ${actor.id}`.as('editable'),
      sql<boolean>`(c.author_id is not null and (c.author_id = ${actor.id} or ${isManaged}))`.as('removable'),
      sql<boolean>`c.thread_id is not null`.as('reply'),
      sql<string | null>`(select w.name from notice_comments a join users w on w.id = a.author_id
        where a.id = c.answered_id)`.as('answeredName'),
      sql<
        string[]
      >`array(select distinct m.name from notice_comment_mentions m where m.comment_id = c.id)`.as(
        'mentionedNames',
      ),
      sql<boolean>`c.author_id is null`.as('deleted'),
    ])
    .orderBy(sql`coalesce(c.thread_id, c.id)`, 'desc')
    .orderBy('c.id')
  const notice = commentable(db, actor, input.noticeId)
  const { totalCount, rows, beside } = await pageOf(
    db,
    comments,
    input,
    sql<{ allowComments: boolean }>`${notice}`,
  )
  if (beside === undefined) return refuse('NOTICE_NOT_FOUND')
  if (!services.settings.now().noticeComments || !beside.allowComments) return refuse('NOTICE_RESPONSE_OFF')
  return {
    totalCount,
    comments: rows.map((row) => ({ ...row, answeredName: row.answeredName ?? undefined })),
  }
}

/**
 * Counts a comment or an edit, and each of its mentions, against COMMENTS_AN_HOUR of the caller
 * (rules/notices#comments-an-hour).
 * @throws {Refusal} COMMENTS_TOO_MANY with the time to wait
 */
const countComment = (
  call: Pick<Call<typeof createEndpoint>, 'actor' | 'services'>,
  mentions: number,
): Promise<void> =>
  useOwnLimit(
    call,
    'comments',
    { points: COMMENTS_AN_HOUR, seconds: 3600 },
    'COMMENTS_TOO_MANY',
    1 + mentions,
  )

/**
 * Adds a comment, or a reply to one, to a published notice that the caller may see, with an audit row. Notifies
 * the author of the answered comment, the mentioned users and the author of the notice: each once, by the first of
 * these reasons, and never the caller (rules/notifications#kinds).
 * @throws {Refusal} NOTICE_NOT_FOUND, also before publication; NOTICE_RESPONSE_OFF if comments are disabled;
 * COMMENT_NOT_FOUND for a reply to a deleted comment or one of another notice; COMMENTS_TOO_MANY; and as
 * `saveMentions`
 */
export const createComment: Handler<typeof createEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { noticeId, text, answeredId } = input
  if (!services.settings.now().noticeComments) refuse('NOTICE_RESPONSE_OFF')
  const mentionIds = [...new Set(input.mentionIds)]
  await countComment(call, mentionIds.length)
  const commentId = await db.transaction().execute(async (tx) => {
    // The lock orders this call before or after a concurrent deletion of the notice, or change of its settings.
    const notice = await commentable(tx, actor, noticeId).forKeyShare().executeTakeFirst()
    if (notice === undefined) return refuse('NOTICE_NOT_FOUND')
    if (!notice.allowComments) return refuse('NOTICE_RESPONSE_OFF')
    const answered = answeredId === undefined ? undefined : await lockAnswered(tx, noticeId, answeredId)
    const { id } = await tx
      .insertInto('noticeComments')
      .values({ noticeId, authorId: actor.id, body: text, answeredId, threadId: answered?.threadId })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answeredIds = answered === undefined ? [] : [answered.authorId]
    const readers = await readersAmong(tx, noticeId, [...answeredIds, ...mentionIds])
    const mentioned = await saveMentions(tx, actor, { commentId: id, text, mentionIds, readers })
    // One notification per user; later lines replace earlier ones.
    const kinds = new Map<string, NewNotification['kind']>([[notice.authorId, 'NOTICE_COMMENT']])
    for (const userId of mentioned) kinds.set(userId, 'NOTICE_MENTION')
    for (const userId of answeredIds) if (readers.includes(userId)) kinds.set(userId, 'NOTICE_REPLY')
    kinds.delete(actor.id)
    const about = { noticeId, actorId: actor.id }
    await notify(tx, ...Array.from(kinds, ([userId, kind]) => ({ kind, userId, ...about })))
    await call.audit(tx, { target: id, detail: {}, records: [`notice/${noticeId}`] })
    return id
  })
  return { commentId }
}

/**
 * Returns the author and the thread of a comment that a reply answers. Locks the comment until the transaction
 * ends, so that a concurrent deletion sees the reply.
 * @throws {Refusal} COMMENT_NOT_FOUND for a deleted comment, or one of another notice
 */
async function lockAnswered(tx: Tx, noticeId: string, answeredId: string) {
  const answered = await tx
    .selectFrom('noticeComments')
    .select(['authorId', sql<string>`coalesce(thread_id, id)`.as('threadId')])
    .where('id', '=', answeredId)
    .where('noticeId', '=', noticeId)
    .forKeyShare()
    .executeTakeFirst()
  if (answered?.authorId == null) return refuse('COMMENT_NOT_FOUND')
  return { threadId: answered.threadId, authorId: answered.authorId }
}

/**
 * Changes the text of a comment of the caller, with an audit row. Users whom it mentioned already stay mentioned.
 * Notifies newly mentioned users, except the author of the answered comment, who was notified of the reply.
 * @throws {Refusal} COMMENT_NOT_FOUND, also for another user's comment; NOTICE_RESPONSE_OFF if comments are
 * disabled; COMMENTS_TOO_MANY; and as `saveMentions`
 */
export const updateComment: Handler<typeof updateEndpoint> = async (call, input) => {
  const { db, actor, services } = call
  const { commentId, text } = input
  const mentionIds = [...new Set(input.mentionIds)]
  await countComment(call, mentionIds.length)
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    if (comment.authorId !== actor.id) refuse('COMMENT_NOT_FOUND')
    if (!services.settings.now().noticeComments || !comment.allowComments) refuse('NOTICE_RESPONSE_OFF')
    await tx
      .updateTable('noticeComments')
      .set({ body: text, editedAt: sql`now()` })
      .where('id', '=', commentId)
      .execute()
    const { noticeId } = comment
    const readers = await readersAmong(tx, noticeId, mentionIds)
    const mentioned = await saveMentions(tx, actor, { commentId, text, mentionIds, readers })
    const people = mentioned.filter((userId) => userId !== comment.answeredAuthorId)
    const event = { kind: 'NOTICE_MENTION', noticeId, actorId: actor.id } as const
    await notify(tx, ...people.map((userId) => ({ ...event, userId })))
    await call.audit(tx, { target: commentId, detail: {}, records: [`notice/${noticeId}`] })
  })
}

/**
 * Deletes a comment of the caller, or of any user if the caller manages the notice; the audit row then names the
 * comment's author. Empties it and removes its mentions. It stays without text and author while undeleted comments
 * answer it (rules/notices#replies). Works while comments are disabled, too.
 * @throws {Refusal} COMMENT_NOT_FOUND, also if it is deleted already or the caller may not see its notice;
 * FORBIDDEN for another user's comment
 */
export const deleteComment: Handler<typeof deleteEndpoint> = async (call, { commentId }) => {
  const { db, actor } = call
  await db.transaction().execute(async (tx) => {
    const comment = await lockComment(tx, actor, commentId)
    const isOwn = comment.authorId === actor.id
    if (!isOwn && !comment.isManaged) refuse('FORBIDDEN')
    await tx
      .updateTable('noticeComments')
      .set({ authorId: null, body: '' })
      .where('id', '=', commentId)
      .execute()
    await tx.deleteFrom('noticeCommentMentions').where('commentId', '=', commentId).execute()
    await pruneThread(tx, comment.threadId)
    await call.audit(tx, {
      target: commentId,
      detail: isOwn ? {} : { userId: comment.userId },
      records: [`notice/${comment.noticeId}`],
    })
  })
}

/** Deletes the deleted comments of a thread that no comment answers any more, directly or through deleted ones. */
async function pruneThread(tx: Tx, threadId: string): Promise<void> {
  await sql`
    with recursive needed as (
      select id, answered_id from notice_comments where (id = ${threadId} or thread_id = ${threadId}) and author_id is not null
      union
      select a.id, a.answered_id from needed join notice_comments a on a.id = needed.answered_id
    )
    delete from notice_comments c where (c.id = ${threadId} or c.thread_id = ${threadId}) and c.author_id is null
      and c.id not in (select id from needed)`.execute(tx)
}

/**
 * Returns a comment. Locks it and the first comment of its thread until the transaction ends, so that deletions in a thread wait for each other.
 * @throws {Refusal} COMMENT_NOT_FOUND, also if the caller may not see its notice
 */
async function lockComment(tx: Tx, actor: SignedIn, commentId: string) {
  const comment = await tx
    .selectFrom('noticeComments as c')
    .innerJoin('noticeComments as t', (join) => join.on('t.id', '=', sql`coalesce(c.thread_id, c.id)`))
    .innerJoin('notices as n', 'n.id', 'c.noticeId')
    // A deleted comment has no author.
    .innerJoin('users as u', 'u.id', 'c.authorId')
    .select([
      't.id as threadId',
      'c.noticeId',
      'c.authorId',
      'u.loginId as userId',
      sql<string | null>`(select author_id from notice_comments a where a.id = c.answered_id)`.as(
        'answeredAuthorId',
      ),
      'n.allowComments',
      managesNotice(actor, 'n').as('isManaged'),
    ])
    .where('c.id', '=', commentId)
    .where(maySeeNotice(actor, 'n'))
    .forUpdate(['c', 't'])
    .executeTakeFirst()
  return comment ?? refuse('COMMENT_NOT_FOUND')
}
