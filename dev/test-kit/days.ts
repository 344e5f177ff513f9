/** The calendar day in Asia/Seoul this many days from now, as the database counts them: CI's clock may be a day behind. */
export function koreanDay(fromToday: number): string {
  return new Date(Date.now() + fromToday * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })
}
