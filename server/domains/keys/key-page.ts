import { type RawBuilder, sql } from 'kysely'
import { COUNTED_PEOPLE, type FoundPage, type Page } from '../../db/list.ts'
import { midnight } from '../../db/sql.ts'
import { issuedWithin, type KeySelection } from './key-selection.ts'
import { dayRows, FIRST_DAY, LAST_DAY, monthRows } from './key-counts.ts'

/** Direction of a list by time. */
export type Direction = 'desc' | 'asc'

/**
 * Most rows of a page's days, over at least MIN_SPARSE_DAYS days, that are fetched and sorted. Scanning the index past
 * other rows would be slower; with more rows it is faster.
 */
const MAX_SPARSE_ROWS = 5_000
/** Fewest days of a page with which its rows are fetched and sorted, as MAX_SPARSE_ROWS describes. */
const MIN_SPARSE_DAYS = 3

/** Cost of reading and sorting a user's key, in steps of an index scan. */
const READ_COST = 2

/**
 * Returns the SQL query for the number of selected keys, the IDs of a page by issue time and, if users are selected,
 * the users whose keys are counted, for `foundPage`. The
 * tables of counts give the day on which the page begins (design/keys#counts-of-keys). So only the rows of the page's
 * days are scanned, however deep in the history it is.
 */
export function findKeyPage(
  selection: KeySelection,
  direction: Direction,
  page: Page,
): RawBuilder<FoundPage> {
  return selection.users === null
    ? findByCounts(selection, direction, page)
    : findByPeople(selection, direction, page)
}

/**
 * Returns the query of `findKeyPage` for selected users (design/search#keys-by-user). With regions or days it reads all
 * their keys, because only the planner knows which of the conditions is most selective. For users alone, the stored
 * number of their keys decides: if it is large, an index scan soon finds the page.
 */
function findByPeople(selection: KeySelection, direction: Direction, { page, perPage }: Page) {
  const way = sql.raw(direction)
  const offset = sql`${(page - 1) * perPage}::bigint`
  const end = sql`${page * perPage}::bigint`
  const keys = sql`select id, issued_at, user_id from issued_keys`
  const onPage = sql`array(
      select id from found order by issued_at ${way}, id ${way} offset ${offset} limit ${perPage}
    ) as ids`
  const most = sql`limit ${COUNTED_PEOPLE + 1}`
  if (selection.cells !== null || selection.from !== '' || selection.to !== '')
    return sql<FoundPage>`
    with found as materialized (${keys} where ${issuedWithin(selection)})
    select (select count(*) from found)::float8 as total_count, ${onPage},
      array(select distinct user_id from found ${most}) as people`
  // "is true" makes the planner filter by a hash while it scans the index.
  return sql<FoundPage>`
    with people as materialized (select user_id as id, n from key_user_totals where user_id in ${selection.users}),
    total as materialized (select coalesce(sum(n), 0) as n from people),
    -- Scan the index past the keys of all users, or read all keys of these users, whichever is cheaper.
    way as materialized (
      select ${end}::numeric * (select sum(n) from key_totals where affiliation_code = '' and province_name = '') < ${READ_COST} * n::numeric * n as walks from total
    ),
    found as materialized (
      (${keys} where (user_id in (select id from people)) is true and (select walks from way)
        order by issued_at ${way}, id ${way} limit ${end})
      union all (${keys} where user_id in (select id from people) and not (select walks from way))
    )
    select (select n from total)::float8 as total_count, ${onPage},
      array(select id from people where n > 0 ${most}) as people`
}

/** Returns the query of `findKeyPage` for the keys of all users, by the stored counts per month and day. */
function findByCounts(selection: KeySelection, direction: Direction, { page, perPage }: Page) {
  const offset = sql`${(page - 1) * perPage}::bigint`
  const end = sql`${page * perPage}::bigint`
  const way = sql.raw(direction)
  // The nearest and the farthest in the direction of the list.
  const [near, far] =
    direction === 'desc' ? [sql.raw('max'), sql.raw('min')] : [sql.raw('min'), sql.raw('max')]
  const earliest = selection.from || FIRST_DAY
  const latest = selection.to || LAST_DAY
  return sql<FoundPage>`
    with month as materialized (
      select month as at, sum(n) as n from ${monthRows(selection)} group by month having sum(n) > 0
    ),
    month_run as (select at, n, sum(n) over (order by at ${way}) - n as before from month),
    place as materialized (
      select ${near}(at) as first, ${far}(at) as last, min(before) as before, coalesce(sum(n), 0) as n
      from month_run where before + n > ${offset} and before < ${end}
    ),
    day as (
      select day as at, sum(n) as n from ${dayRows(selection, {
        first: sql`(select first from place)`,
        end: sql`(select (first + interval '1 month')::date from place)`,
      })}
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
    found as (${findKeysOfSpan(selection, way, end)})
    select (select coalesce(sum(n), 0)::float8 from month) as total_count, array(
      select id from found order by issued_at ${way}, id ${way}
      offset (select ${offset} - before from span_at) limit ${perPage}
    ) as ids`
}

/**
 * Returns the SQL query for the keys of `span_at` up to the end of the page. It chooses between two plans itself,
 * because the planner cannot know the number of keys.
 * @param way SQL sort direction
 * @param end number of rows up to the end of the page
 */
function findKeysOfSpan(selection: KeySelection, way: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  const inSpan = sql`issued_at >= (select from_at from span_at) and issued_at < (select to_at from span_at)`
  // "is true" makes the planner filter by a hash while it scans the index.
  const isAsked = selection.cells === null ? [] : [sql`(cell_id in ${selection.cells}) is true`]
  const walk = (when: RawBuilder<unknown>[]) => sql`(
    select id, issued_at from issued_keys where ${sql.join([inSpan, ...isAsked, ...when], sql` and `)}
    order by issued_at ${way}, id ${way} limit (select ${end} - before from span_at)
  )`
  if (isAsked.length === 0) return walk([])
  const few = sql`select k.id, k.issued_at from key_cells c
    cross join lateral (select id, issued_at from issued_keys where cell_id = c.id and ${inSpan} offset 0) as k
    where c.id in ${selection.cells}`
  const isSparse = sql`(select n <= ${MAX_SPARSE_ROWS} and last - first >= ${MIN_SPARSE_DAYS} from span_at)`
  return sql`${few} and ${isSparse} union all ${walk([sql`not ${isSparse}`])}`
}
