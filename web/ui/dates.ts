/** The first and the last day that a date field takes. */
export const MIN_DATE = '1900-01-01'
export const MAX_DATE = '2099-12-31'

/**
 * Reads a date as people type it (2026-07-01, 2026.7.1, 20260701) into YYYY-MM-DD.
 * Null when there is no such day (2026-02-30) or it lies out of bounds: nothing is corrected in silence.
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

/** Whether a date field with this text has nothing to complain about. */
export function isDateOrEmpty(text: string): boolean {
  return text === '' || readDate(text) !== null
}
