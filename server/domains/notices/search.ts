import { type Kysely, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { SEARCH_TYPE } from '../../../contract/notices.ts'
import { type Page, pageOfIds } from '../../db/list.ts'
import { maySeeNotice } from './visibility.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { noticeColumns, noticesWithAuthors, PINNED } from './queries.ts'

/** What a notice list is narrowed by; empty = no filter. */
export interface NoticeFilter {
  searchType: string
  title: string
  author: string
  pinnedFirst: boolean
}

/** A page of the notice list, and how many there are in all: pinned ones first, then the newest. */
export function findNotices(
  db: Kysely<Database>,
  actor: SignedIn,
  filter: NoticeFilter & Page,
  language: Language,
) {
  const newest = db
    .selectFrom('notices as n')
    .where(maySeeNotice(actor, 'n'))
    .where(matches(filter))
    .select('n.id')
    .select(filter.pinnedFirst ? PINNED.as('first') : sql<boolean>`false`.as('first'))
    .orderBy('n.published_at', 'desc')
    .orderBy('n.id', 'desc')
  // Not sorted by what is pinned: the index holds all that is asked for in the order of the board (ADR 050).
  const ids = sql`select array_agg(id) filter (where first) || array_agg(id) filter (where not first) from (${newest}) as board`
  return pageOfIds(db, ids, filter, {
    rows: noticesWithAuthors(db).select(noticeColumns(language)),
    id: sql.ref('n.id'),
  })
}

/** In title or author's name, case-insensitively; no character stands for another (rules/lists#filters). */
function matches({ searchType, title, author }: NoticeFilter) {
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
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` or `)})`
}
