import { type Kysely, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { BULLET_GROUP, SEARCH_TYPE } from '../../../contract/notices.ts'
import { onPage, type Page } from '../../db/page.ts'
import { contains } from '../../db/search.ts'
import { wireTime } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'

/** What a notice list is narrowed by; empty = no filter. */
export interface NoticeFilter {
  SEARCH_TYPE: string
  TITLE: string
  USER_NAME: string
}

function matchingNotices(db: Kysely<Database>, filter: NoticeFilter) {
  const query = db.selectFrom('notices as n').innerJoin('users as u', 'u.id', 'n.author_id')
  const title = filter.SEARCH_TYPE === SEARCH_TYPE.author ? '' : filter.TITLE
  const author = filter.SEARCH_TYPE === SEARCH_TYPE.title ? '' : filter.USER_NAME
  return query.where((eb) => {
    const parts = [
      ...(title === '' ? [] : [contains(eb.ref('n.title'), title)]),
      ...(author === '' ? [] : [contains(eb.ref('u.name'), author)]),
    ]
    return parts.length === 0 ? eb.lit(true) : eb.or(parts)
  })
}

/** A page of the notice list, newest first, with each notice's files; and how many there are in all. */
export async function findNotices(db: Kysely<Database>, filter: NoticeFilter & Page, language: Language) {
  const matching = matchingNotices(db, filter)
  const [{ total }, rows] = await Promise.all([
    matching.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow(),
    matching
      .leftJoin('codes as b', (join) =>
        join.onRef('b.code', '=', 'n.bullet_code').on('b.group_code', '=', BULLET_GROUP),
      )
      .select((eb) => [
        'n.id as NOTICE_ID',
        'n.bullet_code as BULLET_CODE',
        eb.fn.coalesce(`b.name_${language}`, 'n.bullet_code').as('BULLET_CODE_NAME'),
        'n.title as TITLE',
        'u.login_id as USER_ID',
        'u.name as NAME',
        wireTime(eb.ref('n.created_at')).as('REGSTER_DATETIME'),
        filesOf().as('FILE_LIST'),
      ])
      .orderBy('n.created_at', 'desc')
      .orderBy('n.id', 'desc')
      .$call((query) => onPage(query, filter))
      .execute(),
  ])
  return { total, rows }
}

interface FileItem {
  FILE_ID: string
  SAVE_FILE_NAME: string
  SAVE_PATH: string
  ORIGINAL_FILE_NAME: string
}

function filesOf() {
  return sql<FileItem[]>`coalesce((
    select json_agg(json_build_object(
      'FILE_ID', f.id, 'SAVE_FILE_NAME', f.save_file_name,
      'SAVE_PATH', f.save_path, 'ORIGINAL_FILE_NAME', f.original_name
    ) order by f.created_at, f.id)
    from notice_files f where f.notice_id = n.id
  ), '[]')`
}
