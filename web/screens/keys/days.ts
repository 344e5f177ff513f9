/** Number of keys that were issued on a Korean day, YYYY-MM-DD. */
interface DayCount {
  date: string
  count: number
}

/** Days of the longest axis that extends to the searched dates. */
const READABLE = 366

/** Milliseconds of a day. */
const DAY_MS = 86_400_000

/**
 * Returns every day of the time axis, also those without a key; none if `found` is empty. The axis runs from the first to the
 * last day with a key. It extends to the searched dates if the result has at most 366 days.
 * @param found days with keys, oldest first
 * @param dates searched dates, YYYY-MM-DD or empty
 */
export function everyDay(found: readonly DayCount[], dates: { from: string; to: string }): DayCount[] {
  const first = found[0]?.date
  const last = found.at(-1)?.date
  if (first === undefined || last === undefined) return []
  const from = dates.from === '' ? first : dates.from
  const to = dates.to === '' ? last : dates.to
  const isReadable = Date.parse(to) - Date.parse(from) < READABLE * DAY_MS
  const [start, end] = isReadable ? [from, to] : [first, last]
  const counts = new Map(found.map(({ date, count }) => [date, count]))
  const days: DayCount[] = []
  // A date alone is read as midnight in UTC, where every day is as long.
  for (let day = Date.parse(start); day <= Date.parse(end); day += DAY_MS) {
    const date = new Date(day).toISOString().slice(0, 10)
    days.push({ date, count: counts.get(date) ?? 0 })
  }
  return days
}
