/** Milliseconds of a day. */
const DAY_MS = 86_400_000
/** Offset of Asia/Seoul, which has no summer time. */
const SEOUL_MS = 9 * 3_600_000

/** Returns the calendar day of a time in Asia/Seoul, 'YYYY-MM-DD'. */
export function calendarDay(moment: Date): string {
  return new Date(moment.getTime() + SEOUL_MS).toISOString().slice(0, 10)
}

/** Returns the Monday of the week of a time in Asia/Seoul, 'YYYY-MM-DD' (rules/keys#limits). */
export function calendarWeek(moment: Date): string {
  const day = new Date(moment.getTime() + SEOUL_MS).getUTCDay()
  return calendarDay(daysAfter(moment, -((day + 6) % 7)))
}

/** Returns the time this many days of 24 hours later, or earlier for a negative number. */
export function daysAfter(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS)
}

/** Returns the time this many years of 365 days earlier. */
export function yearsBefore(moment: Date, years: number): Date {
  return daysAfter(moment, -365 * years)
}

/** Returns the start of a calendar day in Asia/Seoul. @param day 'YYYY-MM-DD' */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - SEOUL_MS)
}

/** Returns the earlier of two times; the second if they are equal. */
export const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
/** Returns the later of two times; the second if they are equal. */
export const later = (a: Date, b: Date): Date => (a > b ? a : b)
