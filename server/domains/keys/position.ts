import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/types.ts'
import { countsOf, type Slice, within } from './slice.ts'
import { countRows, endOfMonth } from './spans.ts'

/** How many keys of a slice lie in a month or on a day. */
interface Count {
  at: string
  n: number
}

/** Which way a list runs. */
export type Direction = 'desc' | 'asc'

/** Rows `offset` to `offset + limit` of a slice. */
export interface Window {
  offset: number
  limit: number
}

/** A slice's keys per month, in the list's direction; their sum is the list's totalCount. */
export async function countMonths(
  db: Kysely<Database>,
  slice: Slice,
  direction: Direction,
): Promise<Count[]> {
  const { rows } = await sql<Count>`select month::text as at, sum(n)::float8 as n from ${countRows(slice)}
    group by month having sum(n) > 0 order by month ${sql.raw(direction)}`.execute(db)
  return rows
}

async function countDays(
  db: Kysely<Database>,
  slice: Slice,
  month: string,
  direction: Direction,
): Promise<Count[]> {
  const from = slice.from > month ? slice.from : month
  const end = endOfMonth(month)
  const to = slice.to !== '' && slice.to < end ? slice.to : end
  const { rows } = await sql<Count>`select day::text as at, sum(n)::float8 as n from ${countsOf(slice).days}
    where day between ${from} and ${to} and ${within(slice)}
    group by day having sum(n) > 0 order by day ${sql.raw(direction)}`.execute(db)
  return rows
}

/** In which of these a row stands, how many rows of it come before, and where the last row of the window stands. */
function locate(counts: readonly Count[], { offset, limit }: Window) {
  let before = 0
  for (const [index, { n }] of counts.entries()) {
    if (before + n > offset) {
      let rows = before + n - offset
      let last = index
      while (rows < limit && last + 1 < counts.length) rows += counts[++last]?.n ?? 0
      // All rows from the beginning of the first to the end of the last.
      const among = counts.slice(index, last + 1).reduce((sum, count) => sum + count.n, 0)
      return { first: index, last, skip: offset - before, among, isEnough: rows >= limit }
    }
    before += n
  }
  return undefined
}

/** So few rows are read and sorted sooner than those of others between them are passed over. */
const FEW = 5_000

/**
 * The IDs of a window of a slice, by when they were issued. The counts say on which day the window begins, so that
 * only that day is counted through, however deep in the history it lies.
 * @param months what `countMonths` gave
 */
export async function findWindow(
  db: Kysely<Database>,
  slice: Slice,
  months: readonly Count[],
  direction: Direction,
  window: Window,
): Promise<string[]> {
  const place = locate(months, window)
  const month = months[place?.first ?? -1]
  if (place === undefined || month === undefined) return []
  const days = await countDays(db, slice, month.at, direction)
  const start = locate(days, { offset: place.skip, limit: window.limit })
  const firstDay = days[start?.first ?? -1]?.at
  if (start === undefined || firstDay === undefined) return []

  // The window ends within this month, or somewhere in a later one of the list.
  const goesOn = !start.isEnough && place.last > place.first
  const lastMonth = months[place.last]?.at ?? month.at
  const lastDay = goesOn
    ? direction === 'desc'
      ? lastMonth
      : endOfMonth(lastMonth)
    : (days[start.last]?.at ?? firstDay)
  const [from, to] = direction === 'desc' ? [lastDay, firstDay] : [firstDay, lastDay]
  const among =
    start.among +
    (goesOn ? months.slice(place.first + 1, place.last + 1).reduce((sum, { n }) => sum + n, 0) : 0)

  const matching = sql`select id, issued_at from issued_keys
    where issued_at >= ${clip(from, slice.from)}::date::timestamp at time zone 'Asia/Seoul'
      and issued_at < (${to}::date + 1)::timestamp at time zone 'Asia/Seoul'
      and ${slice.to === '' ? sql`true` : sql`issued_on <= ${slice.to}`} and ${within(slice)}`
  const way = sql.raw(direction)
  const isNarrow = slice.cells !== null || slice.users !== null
  // The planner cannot know that few rows match; here it is known exactly.
  const source = isNarrow && among <= FEW ? sql`materialized` : sql`not materialized`
  const { rows } = await sql<{ id: string }>`with matching as ${source} (${matching})
    select id from matching order by issued_at ${way}, id ${way}
    offset ${start.skip} limit ${window.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const clip = (day: string, from: string) => (from > day ? from : day)
