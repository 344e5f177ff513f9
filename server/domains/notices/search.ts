import { type Kysely, type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Language } from '../../../contract/messages/language.ts'
import { SEARCH_TYPE } from '../../../contract/notices.ts'
import { type FoundPage, foundPage, type Page, pageOfIds, placeIn, rowsByIds } from '../../db/list.ts'
import { today } from '../../db/sql.ts'
import { maySeeNotice } from './visibility.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { noticeColumns, noticesWithAuthors, PINNED } from './queries.ts'

/** What a notice list is narrowed by; empty = no filter. */
export interface NoticeFilter {
  searchType: string
  title: string
  author: string
  /** What is pinned stands on top. */
  pinnedFirst: boolean
  /** With what is not published yet, for those who may see it. */
  scheduled: boolean
}

/** A page of the notice list, and how many there are in all: the newest first, below what is pinned where that is asked for. */
export function findNotices(
  db: Kysely<Database>,
  actor: SignedIn,
  filter: NoticeFilter & Page,
  language: Language,
) {
  const rows = noticesByIds(language)
  const search = searched(filter)
  return search === null
    ? foundPage(db, leafed(actor, filter), filter, rows, true)
    : pageOfIds(db, found(db, actor, filter, search), filter, rows)
}

const noticesByIds = rowsByIds(
  (db, language) => noticesWithAuthors(db).select(noticeColumns(language)),
  sql<string>`n.id`,
)

/** The board without a search: counted by what is kept, and read from the top to the page (ADR 054). */
function leafed(actor: SignedIn, filter: NoticeFilter & Page) {
  const { pinnedFirst, page, perPage } = filter
  const isListed = listed(actor, filter)
  const offset = (page - 1) * perPage
  const isPinned = pinnedFirst ? PINNED : sql<boolean>`false`
  return sql<FoundPage>`
    with pinned as materialized (
      -- The first condition says nothing new: it is the one that an index has.
      select array(
        select n.id from notices n where n.pinned_until >= (select ${today}) and ${isPinned}
        order by n.published_at desc, n.id desc
      ) as ids
    ),
    top as materialized (
      select ids[${placeIn(offset + 1)}:${placeIn(offset + perPage)}] as ids, greatest(${offset}::bigint - cardinality(ids), 0) as below from pinned
    )
    select ((select coalesce(sum(n), 0) from notice_counts) - (
      select count(*) from notices n where n.published_at > now() and not ${isListed}
    ))::int as "totalCount", (select ids from top) || array(
      select n.id from notices n where ${isListed} and not (${isPinned})
      order by n.published_at desc, n.id desc
      offset (select below from top) limit (select ${perPage} - cardinality(ids) from top)
    ) as ids`
}

/** One array: the IDs of all that a search finds, in the order of the board. */
function found(db: Kysely<Database>, actor: SignedIn, filter: NoticeFilter, search: RawBuilder<boolean>) {
  const newest = db
    .selectFrom('notices as n')
    .where(listed(actor, filter))
    .where(search)
    .select('n.id')
    .select(filter.pinnedFirst ? PINNED.as('first') : sql<boolean>`false`.as('first'))
    .orderBy('n.published_at', 'desc')
    .orderBy('n.id', 'desc')
  // Not sorted by what is pinned: the index holds all that is asked for in the order of the board (ADR 050).
  return sql`select array_agg(id) filter (where first) || array_agg(id) filter (where not first) from (${newest}) as board`
}

/** Of what the actor may see, what the list asks for. */
function listed(actor: SignedIn, { scheduled }: NoticeFilter): RawBuilder<boolean> {
  return scheduled ? maySeeNotice(actor, 'n') : sql<boolean>`n.published_at <= now()`
}

/** In title or author's name, case-insensitively, null where nothing is looked for; no character stands for another (rules/lists#filters). */
function searched({ searchType, title, author }: NoticeFilter): RawBuilder<boolean> | null {
  const parts = [
    ...(title === '' || searchType === SEARCH_TYPE.author
      ? []
      : [sql<boolean>`strpos(lower(n.title), lower(${title})) > 0`]),
    ...(author === '' || searchType === SEARCH_TYPE.title
      ? []
      : [
          sql<boolean>`n.author_id in (select u.id from users u where strpos(lower(u.name), lower(${author})) > 0)`,
        ]),
  ]
  return parts.length === 0 ? null : sql<boolean>`(${sql.join(parts, sql` or `)})`
}

/** Adds up what notices wrote into `notice_counts`. */
export async function mergeNoticeCounts(pool: pg.Pool): Promise<void> {
  await pool.query(`with gone as (
      delete from notice_counts where (select count(*) from notice_counts) > 1 returning n
    )
    insert into notice_counts select sum(n) from gone having count(*) > 0`)
}
