/** Today in Asia/Seoul as the wire writes it, wherever the browser is (rules/wire#times). */
export function today(): string {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Seoul' })
}
