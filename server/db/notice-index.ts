import { LOCK } from './locks.ts'
import { onOneConnection } from './one-connection.ts'
import type pg from 'pg'

/** Notices of a block: what a search reads through to find a page, whatever the number of blocks. */
const BLOCK = 2000
/** Longer texts that are kept count of, the latest searched. */
const MAX_TERMS = 100

/** Every block with the key at which the next one begins. */
const BLOCKS = `
  select id, from_at, from_id, is_stale, notices,
    coalesce(lead(from_at) over w, 'infinity') as to_at, coalesce(lead(from_id) over w, 0) as to_id
  from notice_blocks window w as (order by from_at, from_id)`

/** The notices n of the block b. */
const IN_BLOCK = `(n.published_at, n.id) >= (b.from_at, b.from_id) and (n.published_at, n.id) < (b.to_at, b.to_id)`

/**
 * Counts anew what has changed on the notice board (ADR 019), in steps: divides, joins or counts one block, or counts a
 * longer text. Nothing is wrong until then: a search counts a block that is marked itself. Several servers take turns.
 * @param size notices of a block
 * @returns whether there may be more to do
 */
export async function refreshNoticeIndex(pool: pg.Pool, size = BLOCK): Promise<boolean> {
  // Most looks find nothing, without a transaction.
  const { rows: pending } = await pool.query(
    `select 1 from notice_blocks where is_stale and from_at <= now()
     union all select 1 from notice_terms where not is_counted limit 1`,
  )
  if (pending.length === 0) return false
  return onOneConnection(pool, async (client) => {
    try {
      await client.query('begin')
      const { rows } = await client.query<{ is_ours: boolean }>(
        'select pg_try_advisory_xact_lock($1) as is_ours',
        [LOCK.noticeIndex],
      )
      // Somebody is writing, or another server counts: the next look is soon.
      const didWork = rows[0]?.is_ours === true && (await step(client, size))
      await client.query('commit')
      return didWork
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

interface Block {
  id: string
  past: number
  first_future_at: string | null
  first_future_id: string | null
  before_id: string | null
  before_notices: number | null
}

async function step(client: pg.PoolClient, size: number): Promise<boolean> {
  const { rows } = await client.query<Block>(`
    with blocks as (${BLOCKS}),
    stale as (
      select b.*, (select count(*)::int from notices n where ${IN_BLOCK} and n.published_at <= now()) as past
      from blocks b
      -- One that holds nothing but notices to come has its time before it.
      where b.is_stale and b.from_at <= now() and coalesce((
        select n.published_at <= now() or (n.published_at, n.id) >= (b.to_at, b.to_id) from notices n
        where (n.published_at, n.id) >= (b.from_at, b.from_id) order by n.published_at, n.id limit 1
      ), true)
      order by b.from_at desc, b.from_id desc limit 1
    )
    select b.id, b.past, f.at as first_future_at, f.id as first_future_id, p.id as before_id, p.notices as before_notices
    from stale b
    left join lateral (
      select n.published_at::text as at, n.id from notices n where ${IN_BLOCK} and n.published_at > now()
      order by n.published_at, n.id limit 1
    ) as f on true
    left join lateral (
      select k.id, k.notices from notice_blocks k
      where (k.from_at, k.from_id) < (b.from_at, b.from_id) and not k.is_stale
        and k.id = (select q.id from notice_blocks q where (q.from_at, q.from_id) < (b.from_at, b.from_id)
          order by q.from_at desc, q.from_id desc limit 1)
    ) as p on true`)
  const [block] = rows
  if (block === undefined) return countTerm(client)
  if (block.first_future_at !== null) {
    // What is still to come stands apart, so that the rest can be kept.
    await client.query('insert into notice_blocks (from_at, from_id) values ($1, $2)', [
      block.first_future_at,
      block.first_future_id,
    ])
  } else if (block.past > 2 * size) await divide(client, block.id, size)
  else if (block.before_id !== null && (block.before_notices ?? 0) + block.past <= size) {
    await client.query('delete from notice_blocks where id = $1', [block.id])
    await client.query('update notice_blocks set is_stale = true where id = $1', [block.before_id])
  } else await count(client, block.id)
  return true
}

async function divide(client: pg.PoolClient, id: string, size: number): Promise<void> {
  await client.query(
    `with b as (select * from (${BLOCKS}) as blocks where id = $1)
     insert into notice_blocks (from_at, from_id)
     select published_at, id from (
       select n.published_at, n.id, row_number() over (order by n.published_at, n.id) as place
       from b join notices n on ${IN_BLOCK}
     ) as numbered where place > 1 and place % $2 = 1`,
    [id, size],
  )
}

async function count(client: pg.PoolClient, id: string): Promise<void> {
  await client.query('delete from notice_hits where block_id = $1', [id])
  await client.query(
    `with b as (select * from (${BLOCKS}) as blocks where id = $1),
     notice as materialized (
       select n.id, n.title, u.name from b join notices n on ${IN_BLOCK} join users u on u.id = n.author_id
     ),
     kept as (update notice_blocks set is_stale = false, notices = (select count(*) from notice) where id = $1)
     insert into notice_hits (term, block_id, in_title, in_author, in_either)
     select term, $1, count(*) filter (where is_title), count(*) filter (where is_author), count(*)
     from (
       select notice.id, g.term, bool_or(g.is_title) as is_title, bool_or(not g.is_title) as is_author
       from notice cross join lateral (
         select unnest(notice_grams(notice.title)) as term, true as is_title
         union all select unnest(notice_grams(notice.name)), false
       ) as g
       group by notice.id, g.term
     ) as found group by term
     union all
     select t.term, $1, count(*) filter (where strpos(lower(title), t.term) > 0),
       count(*) filter (where strpos(lower(name), t.term) > 0), count(*)
     from notice join notice_terms t
       on t.is_counted and (strpos(lower(title), t.term) > 0 or strpos(lower(name), t.term) > 0)
     group by t.term`,
    [id],
  )
}

/** Counts a longer text in every block at once, and forgets the oldest ones past MAX_TERMS. */
async function countTerm(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ term: string }>(
    'select term from notice_terms where not is_counted order by asked_at limit 1',
  )
  const [wanted] = rows
  if (wanted === undefined) return false
  await client.query(
    `with blocks as (${BLOCKS})
     insert into notice_hits (term, block_id, in_title, in_author, in_either)
     select $1, b.id, count(*) filter (where strpos(lower(n.title), $1) > 0),
       count(*) filter (where strpos(lower(u.name), $1) > 0), count(*)
     from blocks b join notices n on ${IN_BLOCK} join users u on u.id = n.author_id
     where not b.is_stale and (strpos(lower(n.title), $1) > 0 or strpos(lower(u.name), $1) > 0)
     group by b.id`,
    [wanted.term],
  )
  await client.query('update notice_terms set is_counted = true where term = $1', [wanted.term])
  await client.query(
    `with old as (delete from notice_terms where term in
       (select term from notice_terms where is_counted order by asked_at desc offset ${MAX_TERMS}) returning term)
     delete from notice_hits where term in (select term from old)`,
  )
  return true
}
