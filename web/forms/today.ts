/** Returns today's date in Asia/Seoul as YYYY-MM-DD, in any time zone of the browser (rules/wire#times). */
export function today(): string {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })
}
