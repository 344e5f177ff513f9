import { type RawBuilder, sql } from 'kysely'
import type { FoundPage, Page } from '../../db/list.ts'
import { issuedWithin, midnight, type Slice } from './slice.ts'
import { dayRows, monthRows } from './spans.ts'

/** Which way a list runs. */
export type Direction = 'desc' | 'asc'

/**
 * Up to this many rows, spread over more than SHORT_DAYS, fetching and sorting them one by one is faster than walking
 * the index past the rows of others.
 */
const FEW = 5_000
const SHORT_DAYS = 3

/** To read and sort a person's key takes as long as this many steps of a walk. */
const READING = 2

/**
 * How many keys a slice has, and the IDs of a page by when they were issued; for `foundPage`. The counts say in which
 * month and on which day the page begins, so that only that day is counted through, however deep in the history it lies
 * (ADR 024).
 */
export function findPage(slice: Slice, direction: Direction, page: Page): RawBuilder<FoundPage> {
  return slice.users === null ? findByCounts(slice, direction, page) : findByPeople(slice, direction, page)
}

/**
 * Of people all keys that fit are read: only the planner knows whether they, their places or the days are the fewest (ADR 056).
 * But where nothing else is asked for, how many they are is kept, and of many the newest are soon met in the order of the
 * list.
 */
function findByPeople(slice: Slice, direction: Direction, { page, perPage }: Page) {
  const way = sql.raw(direction)
  const offset = sql`${(page - 1) * perPage}::bigint`
  const end = sql`${page * perPage}::bigint`
  const keys = sql`select id, issued_at from issued_keys`
  const onPage = sql`array(
      select id from found order by issued_at ${way}, id ${way} offset ${offset} limit ${perPage}
    ) as ids`
  if (slice.cells !== null || slice.from !== '' || slice.to !== '')
    return sql<FoundPage>`
    with found as materialized (${keys} where ${issuedWithin(slice)})
    select (select count(*) from found)::float8 as "totalCount", ${onPage}`
  // "is true" keeps it a look into a hash beside the walk through the index.
  return sql<FoundPage>`
    with people as materialized (select user_id as id, n from key_user_totals where user_id in ${slice.users}),
    total as materialized (select coalesce(sum(n), 0) as n from people),
    -- To walk past everybody's keys or to read all of theirs, whichever are fewer.
    way as materialized (
      select ${end}::numeric * (select sum(n) from key_totals) < ${READING} * n::numeric * n as walks from total
    ),
    found as materialized (
      (${keys} where (user_id in (select id from people)) is true and (select walks from way)
        order by issued_at ${way}, id ${way} limit ${end})
      union all (${keys} where user_id in (select id from people) and not (select walks from way))
    )
    select (select n from total)::float8 as "totalCount", ${onPage}`
}

function findByCounts(slice: Slice, direction: Direction, { page, perPage }: Page) {
  const offset = sql`${(page - 1) * perPage}::bigint`
  const end = sql`${page * perPage}::bigint`
  const way = sql.raw(direction)
  // The nearest and the farthest in the direction of the list.
  const [near, far] =
    direction === 'desc' ? [sql.raw('max'), sql.raw('min')] : [sql.raw('min'), sql.raw('max')]
  const earliest = slice.from || '1900-01-01'
  const latest = slice.to || '2999-12-31'
  return sql<FoundPage>`
    with month as materialized (
      select month as at, sum(n) as n from ${monthRows(slice)} group by month having sum(n) > 0
    ),
    month_run as (select at, n, sum(n) over (order by at ${way}) - n as before from month),
    place as materialized (
      select ${near}(at) as first, ${far}(at) as last, min(before) as before, coalesce(sum(n), 0) as n
      from month_run where before + n > ${offset} and before < ${end}
    ),
    day as (
      select day as at, sum(n) as n from ${dayRows(slice)}
      where day >= (select first from place) and day < (select first + interval '1 month' from place)
      group by day having sum(n) > 0
    ),
    day_run as (select at, n, (select before from place) + sum(n) over (order by at ${way}) - n as before from day),
    start as materialized (
      select ${near}(at) as first, ${far}(at) as last, min(before) as before, sum(n) as n
      from day_run where before + n > ${offset} and before < ${end}
    ),
    -- All rows from the beginning of the first day of the page to the end of its last, or of the month that it ends in.
    span as materialized (
      select start.before,
        greatest(least(start.first, case when goes_on then place.last else start.last end), ${earliest}::date) as first,
        least(greatest(start.first, case when goes_on then (place.last + interval '1 month')::date - 1 else start.last end),
          ${latest}::date) as last,
        start.n + case when goes_on then place.n else 0 end as n
      from start, place, lateral (select place.first <> place.last as goes_on) as ends
    ),
    span_at as materialized (
      select before, n, first, last, ${midnight(sql`first`)} as from_at, ${midnight(sql`last + 1`)} as to_at from span
    ),
    found as (${keysOf(slice, way, end)})
    select (select coalesce(sum(n), 0)::float8 from month) as "totalCount", array(
      select id from found order by issued_at ${way}, id ${way}
      offset (select ${offset} - before from span_at) limit ${perPage}
    ) as ids`
}

/** The keys of the span. Which way they are read is said here: the planner cannot know how many there are. */
function keysOf(slice: Slice, way: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const inSpan = sql`issued_at >= (select from_at from span_at) and issued_at < (select to_at from span_at)`
  // "is true" keeps it a look into a hash beside the walk through the index.
  const isAsked = slice.cells === null ? [] : [sql`(cell_id in ${slice.cells}) is true`]
  const walk = (when: RawBuilder<unknown>[]) => sql`(
    select id, issued_at from issued_keys where ${sql.join([inSpan, ...isAsked, ...when], sql` and `)}
    order by issued_at ${way}, id ${way} limit (select ${end} - before from span_at)
  )`
  if (isAsked.length === 0) return walk([])
  const few = sql`select k.id, k.issued_at from key_cells c
    cross join lateral (select id, issued_at from issued_keys where cell_id = c.id and ${inSpan} offset 0) as k
    where c.id in ${slice.cells}`
  const isSparse = sql`(select n <= ${FEW} and last - first >= ${SHORT_DAYS} from span_at)`
  return sql`${few} and ${isSparse} union all ${walk([sql`not ${isSparse}`])}`
}
