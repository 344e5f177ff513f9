import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { compactCounts } from '../../db/compact-counts.ts'
import { midnight } from '../../db/sql.ts'
import { issuedOn, issuedWithin, type KeySelection, within } from './key-selection.ts'

/** Days, YYYY-MM-DD, that limit a selection without a first or last day. */
export const [FIRST_DAY, LAST_DAY] = ['1900-01-01', '2999-12-31']

/** Span of `dayRows` without a limit. */
const ALL_DAYS = { first: sql`${FIRST_DAY}`, end: sql`${LAST_DAY}` }

/**
 * Date range as whole months (null if it contains none), which are summed from the counts per month, and the days
 * before and after them.
 */
interface SplitRange {
  months: { from: string; to: string } | null
  days: { from: string; to: string }[]
}

/** Returns the first day of the month that is a number of months later. */
function addMonths(day: string, months: number): string {
  const date = new Date(day)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** Returns the day that is a number of days later. */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

/** Returns the first day of a day's month. */
const monthOf = (day: string) => `${day.slice(0, 7)}-01`

/** Returns the last day of a day's month. */
const endOfMonth = (day: string): string => addDays(addMonths(monthOf(day), 1), -1)

/** Splits a period of inclusive days ('' = no limit) into whole months and the days before and after them. */
function splitRange({ from: start, to: end }: { from: string; to: string }): SplitRange {
  const from = start === '' ? FIRST_DAY : start
  const to = end === '' ? LAST_DAY : end
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

/** SQL column with the month in which a key was issued, by its first day. */
const issuedIn = sql`date_trunc('month', ${issuedOn}::timestamp)::date as month`

/** Returns the SQL condition that the column `day` is within the period of a selection. */
const daysOf = ({ from, to }: KeySelection) => sql`day between ${from || FIRST_DAY} and ${to || LAST_DAY}`

/**
 * Returns whether `key_totals` suffices for a selection: it has only affiliation, province and day
 * (design/keys#counts-of-keys). One plan of the statements that read it is good for all parameters.
 */
export const isInTotals = ({ users, cells, regions }: KeySelection): boolean =>
  users === null && (cells === null || regions !== null)

/**
 * Returns the SQL subquery `counts` of days and numbers of keys (`n`). The sum of its n is the number of selected keys;
 * a day may have several rows.
 * @param span limits the days further, from `first` to the day before `end`
 */
export function dayRows(
  selection: KeySelection,
  { first, end }: { first: RawBuilder<unknown>; end: RawBuilder<unknown> } = ALL_DAYS,
) {
  return isInTotals(selection)
    ? sql`(select day, n from key_totals where ${daysOf(selection)} and day >= ${first} and day < ${end}
        and ${selection.regions ?? sql`affiliation_code = '' and province_name = ''`}) as counts`
    : sql`(select ${issuedOn} as day, 1 as n from issued_keys where ${issuedWithin(selection)}
        and issued_at >= ${midnight(first)} and issued_at < ${midnight(end)}) as counts`
}

/** Returns the SQL subquery `counts` of months and numbers of keys (`n`), as `dayRows` does of days. */
export function monthRows(selection: KeySelection) {
  return isInTotals(selection)
    ? // First by day, because a month is slow to compute.
      sql`(select date_trunc('month', day::timestamp)::date as month, n from (
        select day, sum(n) as n from ${dayRows(selection)} group by day) as days) as counts`
    : cellRows(selection)
}

/** Returns the SQL subquery `counts` of month, cell_id and n, as `dayRows` does of days. */
function cellRows(selection: KeySelection) {
  if (selection.users !== null)
    return sql`(select ${issuedIn}, cell_id, 1 as n from issued_keys where ${issuedWithin(selection)}) as counts`
  const { months, days } = splitRange(selection)
  const parts = [
    ...(months === null
      ? []
      : [
          sql`select month, cell_id, n from key_months
            where month between ${months.from} and ${months.to} and ${within(selection)}`,
        ]),
    ...days.map(
      (range) => sql`select ${issuedIn}, cell_id, 1 as n from issued_keys
        where ${issuedWithin({ ...selection, ...range })}`,
    ),
  ]
  if (parts.length === 0)
    return sql`(select null::date as month, null::bigint as cell_id, 0 as n where false) as counts`
  return sql`(${sql.join(parts, sql` union all `)}) as counts`
}

/** Returns the SQL subquery `counts` of affiliation_code, province_name and n, as `dayRows` does of days. */
export function regionRows(selection: KeySelection) {
  if (isInTotals(selection))
    return sql`(select affiliation_code, province_name, n from key_totals
      where ${daysOf(selection)} and ${selection.regions ?? sql`affiliation_code <> ''`}) as counts`
  return sql`(select c.affiliation_code, c.province_name, k.n
    from (select cell_id, sum(n) as n from ${cellRows(selection)} group by cell_id) as k join key_cells c on c.id = k.cell_id) as counts`
}

/**
 * Merges the rows of `key_totals` that have the same affiliation, province and day into one row with their sum
 * (design/keys#counts-of-keys).
 */
export function mergeKeyTotals(pool: pg.Pool): Promise<void> {
  return compactCounts(pool, 'key_totals', ['affiliation_code', 'province_name', 'day'])
}
