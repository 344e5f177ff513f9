import { sql } from 'kysely'
import type pg from 'pg'
import { compactCounts } from '../../db/compact-counts.ts'
import { issuedOn, issuedWithin, type Slice, within } from './slice.ts'

const FIRST = '1900-01-01'
const LAST = '2999-12-31'

/** Dates as spans of whole months, which are summed from the counts per month, and of the days at their ends. */
interface Spans {
  months: { from: string; to: string } | null
  days: { from: string; to: string }[]
}

/** The same day this many months later; of first days only. */
function addMonths(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** The day after or, with -1, before. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}

const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** The last day of the month that a day lies in. */
const endOfMonth = (day: string): string => addDays(addMonths(monthOf(day), 1), -1)

/** Cuts inclusive dates ('' = without end) into whole months and the days before and after them. */
function spansOf({ from: start, to: end }: { from: string; to: string }): Spans {
  const from = start === '' ? FIRST : start
  const to = end === '' ? LAST : end
  if (from > to) return { months: null, days: [] }
  const firstMonth = from === monthOf(from) ? from : addMonths(monthOf(from), 1)
  const lastMonth = to === endOfMonth(to) ? monthOf(to) : addMonths(monthOf(to), -1)
  if (firstMonth > lastMonth) return { months: null, days: [{ from, to }] }
  const days = [
    ...(from < firstMonth ? [{ from, to: addDays(firstMonth, -1) }] : []),
    ...(to > endOfMonth(lastMonth) ? [{ from: addDays(endOfMonth(lastMonth), 1), to }] : []),
  ]
  return { months: { from: firstMonth, to: lastMonth }, days }
}

/** Whether the totals hold what a slice asks for: they tell keys apart by affiliation and province alone (ADR 125). */
const isInTotals = ({ users, cells, regions }: Slice): boolean =>
  users === null && (cells === null || regions !== null)

/** How many keys of a slice there are, as rows of day and n that are added up: a table to sum from. */
export function dayRows(slice: Slice) {
  if (slice.users !== null)
    return sql`(select ${issuedOn} as day, 1 as n from issued_keys where ${issuedWithin(slice)}) as counts`
  const { from, to } = slice
  const days = sql`day between ${from === '' ? FIRST : from} and ${to === '' ? LAST : to}`
  if (slice.cells === null) return sql`(select day, n from key_totals where ${days}) as counts`
  return slice.regions === null
    ? sql`(select day, n from key_days where ${days} and ${within(slice)}) as counts`
    : sql`(select day, n from key_region_totals where ${days} and ${slice.regions}) as counts`
}

/** The same as rows of month and n. */
export function monthRows(slice: Slice) {
  return isInTotals(slice)
    ? sql`(select date_trunc('month', day::timestamp)::date as month, n from ${dayRows(slice)}) as counts`
    : cellRows(slice)
}

/** The same as rows of month, cell_id and n. */
function cellRows(slice: Slice) {
  if (slice.users !== null)
    return sql`(select date_trunc('month', ${issuedOn}::timestamp)::date as month, cell_id, 1 as n
      from issued_keys where ${issuedWithin(slice)}) as counts`
  const { months, days } = spansOf(slice)
  const parts = [
    ...(months === null
      ? []
      : [
          sql`select month, cell_id, n from key_months
            where month between ${months.from} and ${months.to} and ${within(slice)}`,
        ]),
    ...days.map(
      (span) => sql`select date_trunc('month', day::timestamp)::date as month, cell_id, n from key_days
        where day between ${span.from} and ${span.to} and ${within(slice)}`,
    ),
  ]
  if (parts.length === 0)
    return sql`(select null::date as month, null::bigint as cell_id, 0 as n where false) as counts`
  return sql`(${sql.join(parts, sql` union all `)}) as counts`
}

/** How many keys of a slice there are by affiliation and province, as rows of affiliation_code, province_name and n. */
export function regionRows(slice: Slice) {
  const { regions, from, to } = slice
  if (isInTotals(slice))
    return sql`(select affiliation_code, province_name, n from key_region_totals
      where day between ${from || FIRST} and ${to || LAST} and ${regions ?? sql`true`}) as counts`
  return sql`(select c.affiliation_code, c.province_name, k.n
    from (select cell_id, sum(n) as n from ${cellRows(slice)} group by cell_id) as k join key_cells c on c.id = k.cell_id) as counts`
}

/** Compacts the totals of keys (ADR 057, 125). */
export async function mergeKeyTotals(pool: pg.Pool): Promise<void> {
  await compactCounts(pool, 'key_totals', ['day'])
  await compactCounts(pool, 'key_region_totals', ['affiliation_code', 'province_name', 'day'])
}
