import { sql } from 'kysely'
import { refuse } from '../../../contract/errors.ts'
import { MENTIONS_PER_COMMENT } from '../../../contract/notices.ts'
import { type listMentionable as endpoint, PEOPLE_OFFERED } from '../../../contract/notices/mentions.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import type { Tx } from '../../db/database.ts'
import { contains } from '../../db/list.ts'
import type { Handler } from '../../http/handler.ts'
import { affiliationName } from '../common/index.ts'
import { inCompany } from '../roles/index.ts'
import { teamPath } from '../teams/index.ts'
import { colleaguesOf, countEntries } from '../users/index.ts'
import { readersAmong } from './comment-readers.ts'
import { commentable, refuseResponse } from './commentable.ts'
import { isForUser } from '../../db/notice-visibility.ts'

/**
 * Number of users that a search reads. `readersAmong` may remove some: managers of a branch that the notice does
 * not belong to.
 */
const CANDIDATES = 4 * PEOPLE_OFFERED

/**
 * Returns up to PEOPLE_OFFERED users whom a comment on the notice may mention, in the order of the directory
 * (rules/notices#mentions). A keyword of less than two characters searches only the author of the notice and users
 * who commented on it. Counts as that many entries of the directory, and logs access to the users.
 * @throws {Refusal} NOTICE_NOT_FOUND; NOTICE_RESPONSE_OFF if comments are disabled; COLLEAGUES_TOO_MANY beyond the
 * caller's daily entries
 */
export const listMentionable: Handler<typeof endpoint> = async (call, { noticeId, keyword }) => {
  const { db, actor, language, services } = call
  const notice = commentable(db, actor, noticeId).where('allowComments', '=', true)
  const isOpen = services.settings.now().noticeComments && (await notice.executeTakeFirst()) !== undefined
  if (!isOpen) return refuseResponse(db, actor, noticeId)
  await countEntries(call, PEOPLE_OFFERED)
  const isShort = Array.from(keyword.replaceAll(/[\s-]/g, '')).length < 2
  const candidates = await colleaguesOf(db, actor, isShort ? '' : keyword)
    .innerJoin('notices as n', (join) => join.on('n.id', '=', noticeId))
    .where('u.id', '<>', actor.id)
    .where(
      sql<boolean>`(${isForUser('u', 'n')} or u.id = n.author_id
        or u.role_code in (select role_code from role_functions where function_name = 'autho_notice_manage'))`,
    )
    .$if(isShort, (people) =>
      people.where(contains(sql.ref('u.name'), keyword)).where(
        sql<boolean>`u.id in (select author_id from notices where id = ${noticeId}
          union all select author_id from notice_comments where notice_id = ${noticeId})`,
      ),
    )
    .select([
      sql<string>`u.id::text`.as('mentionId'),
      'u.name',
      affiliationName('u.affiliationCode', language).as('affiliationName'),
      teamPath(language).as('teamName'),
      'u.position',
    ])
    .limit(CANDIDATES)
    .execute()
  const readers = await readersAmong(
    db,
    noticeId,
    candidates.map(({ mentionId }) => mentionId),
  )
  const mentionables = candidates
    .filter(({ mentionId }) => readers.includes(mentionId))
    .slice(0, PEOPLE_OFFERED)
  call.touches(mentionables.map(({ mentionId }) => mentionId))
  return { mentionables }
}

/** A comment, and users.id of the users whom its author selected to mention. */
interface Mentioning {
  commentId: string
  text: string
  mentionIds: readonly string[]
  /** users.id of the selected users who may read the notice (`readersAmong`). */
  readers: readonly string[]
}

/**
 * Stores the users whom a comment mentions, with their names. Sends no notification. All reasons have the same refusal,
 * so that a guessed ID reveals nothing.
 * @returns users.id of those whom the comment did not mention before, without the writer
 * @throws {Refusal} MENTION_NOT_FOUND for an ID that is unknown, whose user may not read the notice or is hidden
 * from the writer in the directory, or whose name is not in the text after an @; MENTIONS_TOO_MANY if the comment
 * then mentions more than MENTIONS_PER_COMMENT, earlier ones included
 */
export async function saveMentions(
  tx: Tx,
  actor: SignedIn,
  { commentId, text, mentionIds, readers }: Mentioning,
): Promise<string[]> {
  if (mentionIds.length === 0) return []
  const { rows } = await sql<{ id: string; isNew: boolean; before: number }>`
    with found as (
      select u.id, u.name from users u where u.id = any(${mentionIds}::bigint[]) and u.id = any(${readers}::bigint[])
        and ${inCompany(actor, sql.ref('u.affiliationCode'))} and position('@' || u.name in ${text}) > 0
    ), added as (
      insert into notice_comment_mentions (comment_id, user_id, name)
      select ${commentId}, id, name from found on conflict do nothing
    ), earlier as (select distinct user_id from notice_comment_mentions where comment_id = ${commentId})
    select id::text, id not in (select user_id from earlier) as is_new, (select count(*)::int from earlier) as before
    from found`.execute(tx)
  if (rows.length < mentionIds.length) refuse('MENTION_NOT_FOUND')
  const added = rows.filter(({ isNew }) => isNew)
  if (added.length + (rows[0]?.before ?? 0) > MENTIONS_PER_COMMENT) refuse('MENTIONS_TOO_MANY')
  return added.map(({ id }) => id).filter((id) => id !== actor.id)
}
