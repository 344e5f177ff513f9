const DAY_MS = 86_400_000
/** Korea keeps no summer time. */
const SEOUL_MS = 9 * 3_600_000

/** The calendar day of a moment in Asia/Seoul, 'YYYY-MM-DD'. */
export function calendarDay(moment: Date): string {
  return new Date(moment.getTime() + SEOUL_MS).toISOString().slice(0, 10)
}

/** The Monday of the week of a moment in Asia/Seoul, 'YYYY-MM-DD' (rules/keys#limits). */
export function calendarWeek(moment: Date): string {
  const day = new Date(moment.getTime() + SEOUL_MS).getUTCDay()
  return calendarDay(daysAfter(moment, -((day + 6) % 7)))
}

/** The moment this many days later; earlier when negative. */
export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS)
}

/** The moment this many years earlier, of 365 days. */
export function yearsBefore(moment: Date, years: number): Date {
  return daysAfter(moment, -365 * years)
}

/** When a calendar day begins in Asia/Seoul. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - SEOUL_MS)
}

/** The earlier and the later of two moments. */
export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
export const later = (a: Date, b: Date): Date => (a > b ? a : b)
