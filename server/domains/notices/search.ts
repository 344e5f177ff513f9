import { type RawBuilder, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { SEARCH_TYPE, SHOW, type Show } from '../../../contract/notices.ts'
import {
  type FoundPage,
  foundPage,
  type Page,
  pageOfIds,
  placeIn,
  readerId,
  rowsByIds,
} from '../../db/list.ts'
import { nameContains } from '../../db/user-search.ts'
import { today } from '../../db/sql.ts'
import { isFor, isRestricted, maySeeNotice } from '../../db/notice-visibility.ts'
import type { Db } from '../../db/database.ts'
import type { SignedIn } from '../../callers/sessions.ts'
import { noticeColumns, noticesFor, PINNED } from './queries.ts'

/** Filters of a notice list; '' in a text is no filter. */
export interface NoticeFilter {
  searchType: string
  title: string
  author: string
  memo: string
  show: Show
  /** True if pinned notices come first. */
  pinnedFirst: boolean
  /** True to include unpublished notices, for users who may see them. */
  scheduled: boolean
}

/**
 * Returns a page of the notices that match a filter and that the actor may see, and their total number. The newest
 * come first, below pinned notices if `pinnedFirst`.
 */
export function findNotices(db: Db, actor: SignedIn, filter: NoticeFilter & Page, language: Language) {
  const rows = noticesByIds(language, actor.id)
  const search = joinConditions([searchCondition(filter), showCondition(actor, filter.show)])
  return search === null
    ? foundPage(db, boardPage(actor, filter), filter, rows, true)
    : pageOfIds(db, queryMatches(db, actor, filter, search), filter, rows)
}

/** Reads the rows of a page by their IDs, as the reader sees them. */
const noticesByIds = rowsByIds(
  (db, language) => noticesFor(db, readerId).select(noticeColumns(language, readerId)),
  sql<string>`n.id`,
)

/**
 * Returns the query for a page of the board without a search, and its total. The total is the number of all
 * notices minus the few that the actor may not see, because an index counts all notices in half the time.
 */
function boardPage(actor: SignedIn, filter: NoticeFilter & Page) {
  const { pinnedFirst, page, perPage } = filter
  const isListed = listCondition(actor, filter)
  // To people of another company, those without an audience are hidden too.
  const isHidden = actor.company === null ? isRestricted('n') : sql`true`
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
    select ((select count(*) from notices) - (
      select count(*) from notices n where n.published_at > now() and not ${isListed}
    ) - (
      select count(*) from notices n where ${isHidden} and n.published_at <= now() and not ${isListed}
    ))::int as total_count, (select ids from top) || array(
      select n.id from notices n where ${isListed} and not (${isPinned})
      order by n.published_at desc, n.id desc
      offset (select below from top) limit (select ${perPage} - cardinality(ids) from top)
    ) as ids`
}

/**
 * Returns the query for one array: the IDs of all notices that match and that the actor may see, in the order of
 * the board.
 */
function queryMatches(db: Db, actor: SignedIn, filter: NoticeFilter, search: RawBuilder<boolean>) {
  const newest = db
    .selectFrom('notices as n')
    .where(listCondition(actor, filter))
    .where(search)
    .select('n.id')
    .select(filter.pinnedFirst ? PINNED.as('first') : sql<boolean>`false`.as('first'))
    .orderBy('n.publishedAt', 'desc')
    .orderBy('n.id', 'desc')
  // Not sorted by whether a notice is pinned, because the index has the order of the board
  // (design/search#notices-by-title-and-author).
  return sql`select array_agg(id) filter (where first) || array_agg(id) filter (where not first) from (${newest}) as board`
}

/**
 * Returns the SQL condition that the actor may see a notice and that it is published; with `scheduled` also
 * unpublished ones that the actor may see.
 */
function listCondition(actor: SignedIn, { scheduled }: NoticeFilter): RawBuilder<boolean> {
  const isSeen = maySeeNotice(actor, 'n')
  return scheduled ? isSeen : sql<boolean>`(n.published_at <= now() and ${isSeen})`
}

/** Returns the SQL condition that all given conditions hold; null if there is none. A null among them is left out. */
function joinConditions(conditions: readonly (RawBuilder<boolean> | null)[]): RawBuilder<boolean> | null {
  const given = conditions.filter((condition) => condition !== null)
  return given.length === 0 ? null : sql<boolean>`(${sql.join(given, sql` and `)})`
}

/**
 * Returns the SQL condition of `show`: notices that the actor has not opened, must confirm, or that have a file.
 * The first two leave out the actor's own notices and unpublished ones. Null for all notices.
 */
function showCondition(actor: SignedIn, show: Show): RawBuilder<boolean> | null {
  const isOthers = sql`n.published_at <= now() and n.author_id <> ${actor.id}`
  // Hashed once, as is the set of files below. As a join it would search an index for each notice of the board.
  const isIn = (reads: RawBuilder<unknown>) =>
    sql`n.id in (select r.notice_id from notice_reads r where r.user_id = ${actor.id} and ${reads})`
  switch (show) {
    case SHOW.all:
      return null
    case SHOW.unread:
      return sql<boolean>`(${isOthers} and not ${isIn(sql`true`)})`
    case SHOW.toConfirm:
      return sql<boolean>`(n.must_read and ${isOthers} and ${isFor(actor, 'n')}
        and not ${isIn(sql`r.confirmed_at is not null`)})`
    case SHOW.file:
      return sql<boolean>`(n.id in (select f.notice_id from notice_files f where f.picture is null)) is true`
  }
}

/**
 * Returns the SQL condition that any of the texts is in its place: title, author's name, or body and file names,
 * in any case, without wildcards (rules/lists#filters). Ignores texts of a place that the search type does not
 * include. Null without a text.
 */
function searchCondition({ searchType, title, author, memo }: NoticeFilter): RawBuilder<boolean> | null {
  const isIn = (type: string) => searchType === SEARCH_TYPE.all || searchType === type
  const parts = [
    ...(title !== '' && isIn(SEARCH_TYPE.title)
      ? [sql<boolean>`strpos(lower(n.title), lower(${title})) > 0`]
      : []),
    ...(author !== '' && isIn(SEARCH_TYPE.author)
      ? [
          sql<boolean>`n.author_id in (select u.id from users u where ${nameContains(sql.ref('u.name'), author)})`,
        ]
      : []),
    ...(memo !== '' && isIn(SEARCH_TYPE.memo) ? [memoHas(memo)] : []),
  ]
  return parts.length === 0 ? null : sql<boolean>`(${sql.join(parts, sql` or `)})`
}

/** SQL expression for the words of a body that are searched. It is the expression of the index. */
const TEXT = sql<string>`coalesce(m.memo_text, m.memo)`
/** SQL expression for the name of a file that is searched. */
const FILE_NAME = sql<string>`f.original_name`

/**
 * Returns the SQL condition that a text is in the body of a notice or in the name of its file. An index finds it
 * by every two consecutive characters (design/notices#markdown).
 */
function memoHas(text: string): RawBuilder<boolean> {
  const characters = Array.from(text.toLowerCase())
  const grams =
    characters.length === 1
      ? characters
      : characters.slice(1).map((character, at) => `${characters[at] ?? ''}${character}`)
  // Converting a text to lower case takes longer than the rest of the search, and Hangul has no case.
  const hasCase = text.toLowerCase() !== text.toUpperCase()
  const has = (words: RawBuilder<string>) => {
    const hasGrams = sql<boolean>`grams_of(lower(${words})) @> ${grams}::text[]`
    // A text of one or two characters needs no check of the order.
    if (characters.length < 3) return hasGrams
    return hasCase
      ? sql<boolean>`${hasGrams} and strpos(lower(${words}), lower(${text})) > 0`
      : sql<boolean>`${hasGrams} and strpos(${words}, ${text}) > 0`
  }
  // A subquery that runs while the board is read in its order. PostgreSQL would sort a join afterwards.
  return sql<boolean>`(n.id in (select m.id from notices m where ${has(TEXT)}
    union all select f.notice_id from notice_files f where ${has(FILE_NAME)} and f.picture is null)) is true`
}
