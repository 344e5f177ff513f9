import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { BULLET_GROUP, NEW_DAYS } from '../../../contract/notices.ts'
import { mayEditNotice, maySeeNotice, today, wireTime, yesNo } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'

type Columns = ExpressionBuilder<
  Omit<Database, 'n' | 'u' | 'b'> & {
    n: Database['notices']
    u: Database['users']
    b: { [K in keyof Database['codes']]: Database['codes'][K] | null }
  },
  'n' | 'u' | 'b'
>

/** Whether a notice stands on top today; of `n`. */
export const PINNED = sql<boolean>`coalesce(n.pinned_until >= ${today}, false) and n.published_at <= now()`

/** Notices with their author and the name of their bullet. */
export function noticesWithNames(db: Kysely<Database>) {
  return db
    .selectFrom('notices as n')
    .innerJoin('users as u', 'u.id', 'n.author_id')
    .leftJoin('codes as b', (join) =>
      join.onRef('b.code', '=', 'n.bullet_code').on('b.group_code', '=', BULLET_GROUP),
    )
}

/** What list and detail show of a notice (spec §3), and what a board marks. */
export function noticeColumns(language: Language) {
  return (eb: Columns) =>
    [
      'n.id as NOTICE_ID',
      'n.bullet_code as BULLET_CODE',
      sql<string>`coalesce(${eb.ref(`b.name_${language}`)}, n.bullet_code)`.as('BULLET_CODE_NAME'),
      'n.title as TITLE',
      'u.login_id as USER_ID',
      'u.name as NAME',
      wireTime(eb.ref('n.published_at')).as('REGSTER_DATETIME'),
      filesOf().as('FILE_LIST'),
      yesNo(PINNED).as('PINNED'),
      yesNo(sql`n.published_at > now()`).as('SCHEDULED'),
      yesNo(sql`n.published_at between now() - make_interval(days => ${sql.lit(NEW_DAYS)}) and now()`).as(
        'NEW',
      ),
      yesNo(eb.ref('n.must_read')).as('MUST_READ'),
      sql<number>`(select count(*)::int from notice_reads r where r.notice_id = n.id and r.user_id <> n.author_id)`.as(
        'VIEW_COUNT',
      ),
    ] as const
}

interface FileItem {
  FILE_ID: string
  SAVE_FILE_NAME: string
  SAVE_PATH: string
  ORIGINAL_FILE_NAME: string
  FILE_SIZE: number
  DOWNLOAD_COUNT: number
}

function filesOf() {
  return sql<FileItem[]>`coalesce((
    select json_agg(json_build_object(
      'FILE_ID', f.id, 'SAVE_FILE_NAME', f.save_file_name, 'SAVE_PATH', f.save_path,
      'ORIGINAL_FILE_NAME', f.original_name, 'FILE_SIZE', f.size_bytes, 'DOWNLOAD_COUNT', f.downloads
    ) order by f.created_at, f.id)
    from notice_files f where f.notice_id = n.id
  ), '[]')`
}

/** A notice as the actor sees it; undefined when there is none, or none for this person yet. */
export async function findNotice(db: Kysely<Database>, actor: SignedIn, id: string, language: Language) {
  return noticesWithNames(db)
    .where('n.id', '=', id)
    .where(maySeeNotice(actor, 'n'))
    .select(noticeColumns(language))
    .select((eb) => [
      'n.memo as MEMO',
      sql<string>`coalesce(n.pinned_until::text, '')`.as('PINNED_UNTIL'),
      yesNo(mayEditNotice(actor, 'n')).as('EDITABLE'),
      yesNo(
        eb.exists(
          eb
            .selectFrom('notice_reads as r')
            .select('r.user_id')
            .whereRef('r.notice_id', '=', 'n.id')
            .where('r.user_id', '=', actor.id)
            .where('r.confirmed_at', 'is not', null),
        ),
      ).as('CONFIRMED'),
      sql<string>`n.version::text`.as('VERSION'),
    ])
    .executeTakeFirst()
}

/** The notices before and after one in the order of the board, of those that the actor may see. */
export async function findNeighbours(db: Kysely<Database>, actor: SignedIn, id: string) {
  const beside = (direction: 'asc' | 'desc') =>
    db
      .selectFrom('notices as n')
      .innerJoin('users as u', 'u.id', 'n.author_id')
      .where(maySeeNotice(actor, 'n'))
      .where(
        sql<boolean>`(n.published_at, n.id) ${sql.raw(direction === 'asc' ? '>' : '<')}
          ((select o.published_at from notices o where o.id = ${id}), ${id}::bigint)`,
      )
      .select(['n.id as NOTICE_ID', 'n.title as TITLE', 'u.login_id as USER_ID'])
      .orderBy('n.published_at', direction)
      .orderBy('n.id', direction)
      .limit(1)
      .executeTakeFirst()
  const [older, newer] = await Promise.all([beside('desc'), beside('asc')])
  return { PREVIOUS: older ?? null, NEXT: newer ?? null }
}

/**
 * Counts the first look of somebody other than the author at a published notice. Every later one finds the row and
 * writes nothing.
 */
export async function countView(db: Kysely<Database>, actor: SignedIn, id: string): Promise<void> {
  await sql`
    insert into notice_reads (notice_id, user_id)
    select id, ${actor.id}::bigint from notices
    where id = ${id} and author_id <> ${actor.id} and published_at <= now()
      and not exists (select 1 from notice_reads where notice_id = ${id} and user_id = ${actor.id})
    -- Or a notice that is deleted this moment would break the reference.
    for key share
    on conflict do nothing
  `.execute(db)
}
