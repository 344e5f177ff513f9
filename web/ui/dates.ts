/** First date that a date field accepts. */
export const MIN_DATE = '1900-01-01'
/** Last date that a date field accepts. */
export const MAX_DATE = '2099-12-31'

/**
 * Converts a typed date (2026-07-01, 2026.7.1, 2026/7/1, 20260701) to YYYY-MM-DD. Never turns a date that does not
 * exist into another one.
 * @returns null if the text has another form, or the date does not exist (2026-02-30) or is out of range
 */
export function readDate(text: string, min = MIN_DATE, max = MAX_DATE): string | null {
  const typed = text.trim()
  const parts =
    /^(\d{4})(\d{2})(\d{2})$/.exec(typed) ?? /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})\.?$/.exec(typed)
  if (!parts) return null
  const date = [parts[1], parts[2]?.padStart(2, '0'), parts[3]?.padStart(2, '0')].join('-')
  // A day that does not exist rolls over into the next month, and so differs when written out again.
  const moment = new Date(Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])))
  if (moment.toISOString().slice(0, 10) !== date) return null
  return date >= min && date <= max ? date : null
}

/** Returns whether a text is empty or a date that `readDate` accepts. */
export function isDateOrEmpty(text: string): boolean {
  return text === '' || readDate(text) !== null
}

/** Returns a day as YYYY-MM-DD; days and months out of range roll over. */
const dayOf = (year: number, month: number, date: number) =>
  new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)

/**
 * Returns the first and last days of three periods around a day: the day itself, its week from Monday, and
 * its month.
 */
export function periods(day: string): Record<'day' | 'week' | 'month', readonly [string, string]> {
  const moment = new Date(`${day}T00:00:00Z`)
  const [year, month, date] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()]
  const monday = date - ((moment.getUTCDay() + 6) % 7)
  return {
    day: [day, day],
    week: [dayOf(year, month, monday), dayOf(year, month, monday + 6)],
    month: [dayOf(year, month, 1), dayOf(year, month + 1, 0)],
  }
}

/**
 * Returns the last day of a period of whole months that begins on `first`: a year from 2026-03-01 ends on 2027-02-28. A
 * period from the 31st may end with a shorter month.
 */
export function endOfMonths(first: string, months: number): string {
  const moment = new Date(`${first}T00:00:00Z`)
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth() + months]
  const same = dayOf(year, month, moment.getUTCDate() - 1)
  // A day that its last month has not ends with the month.
  const last = dayOf(year, month + 1, 0)
  return same < last ? same : last
}
