/** Returns the present time in Asia/Seoul for a mail: '2026-11-21 09:30'. */
export function koreanMinute(): string {
  return new Date().toLocaleString('sv-SE', {
    timeZone: 'Asia/Seoul',
    dateStyle: 'short',
    timeStyle: 'short',
  })
}
