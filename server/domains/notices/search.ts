import { type Kysely, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { SEARCH_TYPE } from '../../../contract/notices.ts'
import { onPage, type Page } from '../../db/page.ts'
import { contains } from '../../db/search.ts'
import { maySeeNotice } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { noticeColumns, noticesWithNames, PINNED } from './queries.ts'

/** What a notice list is narrowed by; empty = no filter. */
export interface NoticeFilter {
  SEARCH_TYPE: string
  TITLE: string
  USER_NAME: string
  PINNED_FIRST: 'Y' | 'N'
}

function matchingNotices(db: Kysely<Database>, actor: SignedIn, filter: NoticeFilter) {
  const title = filter.SEARCH_TYPE === SEARCH_TYPE.author ? '' : filter.TITLE
  const author = filter.SEARCH_TYPE === SEARCH_TYPE.title ? '' : filter.USER_NAME
  return noticesWithNames(db)
    .where(maySeeNotice(actor, 'n'))
    .where((eb) => {
      const parts = [
        ...(title === '' ? [] : [contains(eb.ref('n.title'), title)]),
        ...(author === '' ? [] : [contains(eb.ref('u.name'), author)]),
      ]
      return parts.length === 0 ? eb.lit(true) : eb.or(parts)
    })
}

/** A page of the notice list, newest first, with each notice's files; and how many there are in all. */
export async function findNotices(
  db: Kysely<Database>,
  actor: SignedIn,
  filter: NoticeFilter & Page,
  language: Language,
) {
  const matching = matchingNotices(db, actor, filter)
  const [{ total }, rows] = await Promise.all([
    matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    matching
      .select(noticeColumns(language))
      .$if(filter.PINNED_FIRST === 'Y', (query) => query.orderBy(PINNED, 'desc'))
      .orderBy('n.published_at', 'desc')
      .orderBy('n.id', 'desc')
      .$call((query) => onPage(query, filter))
      .execute(),
  ])
  return { total, rows }
}
