import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Language } from '../../../contract/messages/language.ts'
import { SEARCH_TYPE } from '../../../contract/notices.ts'
import type { Page } from '../../db/page.ts'
import { maySeeNotice, today } from '../../db/sql.ts'
import type { Database } from '../../db/types.ts'
import type { SignedIn } from '../../http/sessions.ts'
import { noticeColumns, noticesWithNames } from './queries.ts'

/** What a notice list is narrowed by; empty = no filter. */
export interface NoticeFilter {
  searchType: string
  title: string
  author: string
  pinnedFirst: boolean
}

/** Up to so many are found through the index of grams; more, by what is kept of the blocks (ADR 019). */
const FEW = 1000

/** Texts of one and two characters are kept count of from the beginning; as PostgreSQL counts them. */
const isLong = (text: string) => /^.{3}/su.test(text)

/**
 * A page of the notice list, and how many there are in all: pinned ones first, then the newest. The cost of a page
 * does not grow with the board, the last page included (ADR 019).
 */
export async function findNotices(
  db: Kysely<Database>,
  actor: SignedIn,
  filter: NoticeFilter & Page,
  language: Language,
) {
  const asked = askedOf(filter)
  const { total, ids, isFrequent } = await db
    .transaction()
    // What is counted and what is read must be of the same moment.
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      if (await isKept(tx, asked)) {
        const found = await findByBlocks(tx, actor, asked, filter)
        if (found.total > FEW || asked.column === 'notices') return found
      }
      return findDirectly(tx, actor, asked, filter)
    })
  if (isFrequent) await wish(db, asked)
  const rows = await noticesWithNames(db)
    .where('n.id', 'in', ids.length === 0 ? ['0'] : ids)
    .select(noticeColumns(language))
    .execute()
  const byId = new Map(rows.map((row) => [row.noticeId, row]))
  return { total, rows: ids.flatMap((id) => byId.get(id) ?? []) }
}

/** A search as the database is asked: in which text, and which kept count is its own. */
interface Asked {
  title: string
  author: string
  /** undefined: two different texts at once, of which nothing is kept. */
  column: 'notices' | 'in_title' | 'in_author' | 'in_either' | undefined
}

function askedOf(filter: NoticeFilter): Asked {
  const title = filter.searchType === SEARCH_TYPE.author ? '' : filter.title
  const author = filter.searchType === SEARCH_TYPE.title ? '' : filter.author
  if (title === '' && author === '') return { title, author, column: 'notices' }
  if (author === '') return { title, author, column: 'in_title' }
  if (title === '') return { title, author, column: 'in_author' }
  return { title, author, column: title === author ? 'in_either' : undefined }
}

const termOf = ({ title, author }: Asked) => title || author

async function isKept(tx: Transaction<Database>, asked: Asked): Promise<boolean> {
  if (asked.column === undefined) return false
  if (!isLong(termOf(asked))) return true
  const { rows } = await sql`
    select 1 from notice_terms where term = lower(${termOf(asked)}) and is_counted
  `.execute(tx)
  return rows.length > 0
}

/** Asks for a longer text that many notices have to be kept count of from now on. */
async function wish(db: Kysely<Database>, asked: Asked): Promise<void> {
  if (asked.column === undefined) return
  await sql`insert into notice_terms (term) values (lower(${termOf(asked)})) on conflict do nothing`.execute(
    db,
  )
}

/**
 * Whether the notice n, by u, is looked for; case-insensitively, no character stands for another (rules/lists#filters).
 */
function matches({ title, author, column }: Asked): RawBuilder<boolean> {
  if (column === 'notices') return sql<boolean>`true`
  const inTitle = sql<boolean>`strpos(lower(n.title), lower(${title})) > 0`
  const inAuthor = sql<boolean>`strpos(lower(u.name), lower(${author})) > 0`
  if (author === '') return inTitle
  return title === '' ? inAuthor : sql<boolean>`(${inTitle} or ${inAuthor})`
}

const isPinned = sql<boolean>`(n.pinned_until >= ${today} and n.published_at <= now())`

interface Found {
  total: number
  ids: string[]
  isFrequent: boolean
}

/** Through the index of grams and the authors' own: as dear as there are notices that fit. */
async function findDirectly(
  tx: Transaction<Database>,
  actor: SignedIn,
  asked: Asked,
  { page, perPage, pinnedFirst }: NoticeFilter & Page,
): Promise<Found> {
  // All that is asked of them at once: a join back to the table may read all of it.
  const columns = sql`n.id, n.published_at, n.pinned_until, n.author_id`
  const byTitle = sql`select ${columns} from notices n where notice_index_grams(n.title) @> notice_search_grams(${asked.title})
    and strpos(lower(n.title), lower(${asked.title})) > 0`
  const byAuthor = sql`select ${columns} from notices n
    where n.author_id = any (array(select u.id from users u where strpos(lower(u.name), lower(${asked.author})) > 0))`
  const either = [...(asked.title === '' ? [] : [byTitle]), ...(asked.author === '' ? [] : [byAuthor])]
  const pinned = pinnedFirst ? sql`coalesce(${isPinned}, false)` : sql`false`
  const { rows } = await sql<{ total: number; ids: string[] }>`
    with fits as materialized (${sql.join(either, sql` union `)}),
    seen as materialized (
      select n.id, n.published_at, ${pinned} as is_pinned from fits n where ${maySeeNotice(actor, 'n')}
    )
    select (select count(*)::int from seen) as total, array(
      select seen.id::text from seen order by is_pinned desc, published_at desc, seen.id desc
      offset ${(page - 1) * perPage} limit ${perPage}
    ) as ids`.execute(tx)
  const [{ total, ids } = { total: 0, ids: [] }] = rows
  return { total, ids, isFrequent: total > FEW && isLong(termOf(asked)) }
}

/** By what is kept of the blocks: which of them hold the page, and then the page within them. */
async function findByBlocks(
  tx: Transaction<Database>,
  actor: SignedIn,
  asked: Asked,
  { page, perPage, pinnedFirst }: NoticeFilter & Page,
): Promise<Found> {
  const kept = sql.ref(asked.column === 'notices' ? 'b.notices' : `h.${asked.column}`)
  const offset = (page - 1) * perPage
  const pinned = pinnedFirst ? isPinned : sql<boolean>`false`
  const { rows } = await sql<Place>`
    with first as materialized (
      select n.id, n.published_at from notices n join users u on u.id = n.author_id
      where n.pinned_until >= ${today} and ${pinned} and ${matches(asked)}
    ),
    future as materialized (
      select n.id, n.published_at from notices n join users u on u.id = n.author_id
      where n.published_at > now() and ${maySeeNotice(actor, 'n')} and ${matches(asked)}
    ),
    block as (
      select id, from_at, from_id, is_stale, notices,
        coalesce(lead(from_at) over w, 'infinity') as to_at, coalesce(lead(from_id) over w, 0) as to_id
      from notice_blocks window w as (order by from_at, from_id)
    ),
    hit as (
      select b.from_at, b.from_id, b.to_at, b.to_id, case when b.is_stale then (
          select count(*) from notices n join users u on u.id = n.author_id
          where (n.published_at, n.id) >= (b.from_at, b.from_id) and (n.published_at, n.id) < (b.to_at, b.to_id)
            and n.published_at <= now() and ${matches(asked)}
        ) else coalesce(${kept}, 0) end
        - (select count(*) from first p
          where (p.published_at, p.id) >= (b.from_at, b.from_id) and (p.published_at, p.id) < (b.to_at, b.to_id)
        ) as hits
      from block b left join notice_hits h on h.block_id = b.id and h.term = lower(${termOf(asked)})
    ),
    run as (
      select *, sum(hits) over (order by from_at desc, from_id desc) as upto from hit where hits > 0
    ),
    count as materialized (
      select (select count(*) from first)::int + (select count(*) from future)::int as ahead,
        coalesce((select max(upto) from run), 0)::int as past
    ),
    page as (
      select run.* from run, count where upto > greatest(0, ${offset}::bigint - ahead)
        and upto - hits < greatest(0, ${offset}::bigint - ahead) + ${perPage}::int
    )
    select count.ahead, count.past,
      array(select first.id::text from first order by published_at desc, first.id desc)
        || array(select future.id::text from future order by published_at desc, future.id desc) as ids,
      (select min(upto - hits) from page)::int as before,
      (select (from_at::text || ' ' || from_id) from page order by from_at, from_id limit 1) as from_key,
      (select (to_at::text || ' ' || to_id) from page order by from_at desc, from_id desc limit 1) as to_key
    from count`.execute(tx)
  const [place] = rows
  if (place === undefined) throw new Error('The blocks of the notice board are missing')
  const total = place.ahead + place.past
  // So few lie far apart: the blocks between them would be read through for nothing.
  if (total <= FEW && asked.column !== 'notices') return { total, ids: [], isFrequent: false }
  const ahead = place.ids.slice(offset, offset + perPage)
  const rest = perPage - ahead.length
  const past =
    rest > 0 ? await pageOfPast(tx, asked, pinned, place, Math.max(0, offset - place.ahead), rest) : []
  return { total, ids: [...ahead, ...past], isFrequent: false }
}

/** Where a page lies: what stands before everything that is published, and the range of the blocks that hold it. */
interface Place {
  ahead: number
  past: number
  /** Pinned ones and those to come. */
  ids: string[]
  before: number | null
  from_key: string | null
  to_key: string | null
}

async function pageOfPast(
  tx: Transaction<Database>,
  asked: Asked,
  pinned: RawBuilder<boolean>,
  { before, from_key, to_key }: Place,
  offset: number,
  limit: number,
): Promise<string[]> {
  if (before === null || from_key === null || to_key === null) return []
  const { rows } = await sql<{ id: string }>`
    select n.id::text as id from notices n join users u on u.id = n.author_id
    where (n.published_at, n.id) >= ${keyOf(from_key)} and (n.published_at, n.id) < ${keyOf(to_key)}
      and n.published_at <= now() and ${matches(asked)} and coalesce(${pinned}, false) is false
    order by n.published_at desc, n.id desc offset ${offset - before} limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A key of the board's order, as the database wrote it: time and number. */
function keyOf(text: string): RawBuilder<unknown> {
  const end = text.lastIndexOf(' ')
  return sql`(${text.slice(0, end)}::timestamptz, ${text.slice(end + 1)}::bigint)`
}
