import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { BULLET_GROUP, type MemoFormat, NEW_DAYS } from '../../../contract/notices.ts'
import { dateText, today, wireTime } from '../../db/sql.ts'
import { codeName } from '../common/index.ts'
import type { Db } from '../../db/database.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { audienceNames } from './audience.ts'
import { isForUser, isRestricted, mayEditNotice, maySeeNotice } from '../../db/notice-visibility.ts'

/** Expression builder of the tables of `noticesFor`. */
type Columns = ExpressionBuilder<
  Omit<Database, 'n' | 'u'> & { n: Database['notices']; u: Database['users'] },
  'n' | 'u'
>

/**
 * SQL condition that a notice `n` is published and pinned until today or later. The date is computed once per
 * statement, not per row.
 */
export const PINNED = sql<boolean>`coalesce(n.pinned_until >= (select ${today}), false) and n.published_at <= now()`

/**
 * Returns the query for all notices `n` with their author as `u` and, as `mine`, the reader's row of views and
 * confirmations, if any. Does not check whether the reader may see them: the caller adds `maySeeNotice`.
 * @param reader the reader's users.id, as an SQL expression
 */
export function noticesFor(db: Db, reader: RawBuilder<string>) {
  return db
    .selectFrom('notices as n')
    .innerJoin('users as u', 'u.id', 'n.authorId')
    .leftJoin('noticeReads as mine', (join) =>
      join.onRef('mine.noticeId', '=', 'n.id').on('mine.userId', '=', reader),
    )
}

/**
 * Returns the columns of a notice for list and detail: its author, files, badges, number of viewers, and whether
 * the reader viewed it, confirmed it, or must confirm it (`toConfirm`).
 * @param reader the reader's users.id, as an SQL expression
 */
export function noticeColumns(language: Language, reader: RawBuilder<string>) {
  const hasConfirmed = sql<boolean>`mine.confirmed_at is not null`
  const isOwn = sql<boolean>`n.author_id = ${reader}`
  return (eb: Columns) =>
    [
      'n.id as noticeId',
      'n.bulletCode',
      codeName(BULLET_GROUP, 'n.bulletCode', language).as('bulletName'),
      'n.title',
      'u.loginId as userId',
      'u.name',
      wireTime(eb.ref('n.publishedAt')).as('registeredAt'),
      filesOf().as('files'),
      PINNED.as('pinned'),
      sql<boolean>`n.published_at > now()`.as('scheduled'),
      sql<boolean>`n.published_at between now() - make_interval(days => ${sql.lit(NEW_DAYS)}) and now()`.as(
        'isNew',
      ),
      'n.mustRead',
      isRestricted('n').as('restricted'),
      sql<boolean>`(${isOwn} or mine.user_id is not null)`.as('viewed'),
      hasConfirmed.as('confirmed'),
      sql<boolean>`(n.must_read and n.published_at <= now() and not ${isOwn} and not ${hasConfirmed} and exists (
        select from users me where me.id = ${reader} and ${isForUser('me', 'n')}))`.as('toConfirm'),
      sql<number>`(select count(*)::int from notice_reads r where r.notice_id = n.id and r.user_id <> n.author_id)`.as(
        'viewCount',
      ),
    ] as const
}

/** An attached file, as the API lists it. */
interface FileItem {
  fileId: string
  storedName: string
  storedPath: string
  fileName: string
  fileSize: number
  downloadCount: number
}

/** Returns the SQL expression for the attached files of a notice `n` as JSON, without images. */
function filesOf() {
  return sql<FileItem[]>`coalesce((
    select json_agg(json_build_object(
      'fileId', f.id, 'storedName', f.save_file_name, 'storedPath', f.save_path,
      'fileName', f.original_name, 'fileSize', f.size_bytes, 'downloadCount', f.downloads
    ) order by f.created_at, f.id)
    from notice_files f where f.notice_id = n.id and f.picture is null
  ), '[]')`
}

/** Returns the SQL expression for the images of a notice `n` as JSON: name, width and height in pixels. */
function picturesOf() {
  return sql<{ picture: string; width: number; height: number }[]>`coalesce((
    select json_agg(json_build_object('picture', f.picture, 'width', f.width, 'height', f.height) order by f.created_at, f.id)
    from notice_files f where f.notice_id = n.id and f.picture is not null
  ), '[]')`
}

/**
 * Returns a notice with its body, images, audience, counts of responses and version, as the actor sees it. The
 * counts are also there if responses are disabled (`shownResponses` removes them). Counts no view.
 * @returns undefined if the notice does not exist or the actor may not see it
 */
export async function findNotice(db: Db, actor: SignedIn, id: string, language: Language) {
  const reader = sql<string>`${actor.id}::bigint`
  return noticesFor(db, reader)
    .where('n.id', '=', id)
    .where(maySeeNotice(actor, 'n'))
    .select(noticeColumns(language, reader))
    .select([
      'n.memo',
      sql<MemoFormat>`n.memo_format`.as('memoFormat'),
      picturesOf().as('pictures'),
      dateText('n.pinnedUntil').as('pinnedUntil'),
      mayEditNotice(actor, 'n').as('editable'),
      ...audienceNames(language),
      'n.allowComments',
      'n.allowAcknowledgements',
      sql<number>`(select count(*)::int from notice_comments c where c.notice_id = n.id)`.as('commentCount'),
      sql<number>`(select count(*)::int from notice_reads r
        where r.notice_id = n.id and r.acknowledged_at is not null)`.as('acknowledgementCount'),
      sql<boolean>`mine.acknowledged_at is not null`.as('acknowledged'),
      sql<string>`n.version::text`.as('version'),
    ])
    .executeTakeFirst()
}

/**
 * Returns the neighbors of a notice by publishing time, of those that the actor may see. Ignores pins.
 * @returns `previous` is the older one, `next` the newer one; null if there is none
 */
export async function findNeighbours(db: Db, actor: SignedIn, id: string) {
  const beside = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('notices as n')
      .innerJoin('users as u', 'u.id', 'n.authorId')
      .where(maySeeNotice(actor, 'n'))
      .where(
        sql<boolean>`(n.published_at, n.id) ${sql.raw(direction === 'asc' ? '>' : '<')}
          ((select o.published_at from notices o where o.id = ${id}), ${id}::bigint)`,
      )
      .select(['n.id as noticeId', 'n.title', 'u.loginId as userId'])
      .orderBy('n.publishedAt', direction)
      .orderBy('n.id', direction)
      .limit(1)
      .executeTakeFirst()
  const [older, newer] = await Promise.all([beside('desc'), beside('asc')])
  return { previous: older ?? null, next: newer ?? null }
}

/**
 * Counts the first view of a published notice by a user other than its author who may see it. Later views find the row
 * and write nothing.
 */
export async function countView(db: Db, actor: SignedIn, id: string): Promise<void> {
  await sql`
    insert into notice_reads (notice_id, user_id)
    select id, ${actor.id}::bigint from notices
    where id = ${id} and author_id <> ${actor.id} and published_at <= now() and ${maySeeNotice(actor)}
      and not exists (select 1 from notice_reads where notice_id = ${id} and user_id = ${actor.id})
    -- Or a notice that is deleted this moment would break the reference.
    for key share
    on conflict do nothing
  `.execute(db)
}
