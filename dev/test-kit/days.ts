/**
 * Returns the calendar day in Asia/Seoul this many days from now, 'YYYY-MM-DD'. 0 is today.
 * @param fromToday number of days; negative for a past day
 */
export function koreanDay(fromToday: number): string {
  return new Date(Date.now() + fromToday * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })
}
