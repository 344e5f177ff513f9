/**
 * The values of plain calls (rules/wire#plain-calls). Field names, booleans and null are those of the code. Times have an offset: the
 * code writes them as 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul, and as '' for none.
 */

/** Returns whether a field with this name contains a time. */
export const isTimeField = (name: string): boolean => name.endsWith('At') || NAMES_OF_TIMES.has(name)

/** Fields with a time whose names do not end in `At`, for `isTimeField`. */
const NAMES_OF_TIMES: ReadonlySet<string> = new Set([
  'previousUntil',
  'restorableUntil',
  'lockedUntil',
  'temporaryUntil',
  'invitationEnds',
])

/** A time of the code: day and time in Asia/Seoul, with or without seconds. */
const SEOUL_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)(:\d\d)?$/
/** A time in ISO 8601 with an offset. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/
/** Milliseconds by which Asia/Seoul is ahead of UTC. */
const SEOUL_OFFSET_MS = 9 * 60 * 60 * 1000

/** Returns a time of the code in ISO 8601 with its offset; null for ''. Any other text stays unchanged. */
function toIso(text: string): string | null {
  if (text === '') return null
  const [, day, minute, seconds = ':00'] = SEOUL_TIME.exec(text) ?? []
  return day === undefined ? text : `${day}T${minute}${seconds}+09:00`
}

/**
 * Returns a time in ISO 8601 in the format of the code, to the minute; '' stays ''. Any other text gets a `?`, which
 * every schema rejects.
 */
function fromIso(text: string): string {
  if (text === '') return text
  const time = ISO_TIME.test(text) ? Date.parse(text) + SEOUL_OFFSET_MS : Number.NaN
  return Number.isFinite(time) ? new Date(time).toISOString().slice(0, 16).replace('T', ' ') : `?${text}`
}

/**
 * Returns a value with each text, number, boolean and null in it replaced by what `leaf` returns. A key `__proto__`
 * gets a `?`.
 * @param leaf receives the value, and the name of the field that has it; '' at the top
 */
const convert = (value: unknown, leaf: (value: unknown, name: string) => unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((each) => convert(each, leaf, name))
  if (typeof value !== 'object' || value === null) return leaf(value, name)
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key === '__proto__' ? '?__proto__' : key,
      convert(each, leaf, key),
    ]),
  )
}

/**
 * Converts an output of a call to plain JSON: times get their offset, and '' becomes null for them; the last day of a
 * partner has no time.
 */
export function toPlain(output: unknown): unknown {
  return convert(output, (value, name) => {
    if (typeof value !== 'string') return value
    if (isTimeField(name)) return toIso(value)
    // The last day of a partner is written with the end of that day.
    return name === 'validTo' ? value.replace(/ 23:59:59$/, '') : value
  })
}

/**
 * Converts plain JSON to an input of a call: times get the format of the code, and null becomes '' for them. The caller
 * limits the nesting before. Does not check the value; the schema does.
 */
export function fromPlain(input: unknown): unknown {
  return convert(input, (value, name) => {
    if (!isTimeField(name)) return value
    if (value === null) return ''
    return typeof value === 'string' ? fromIso(value) : value
  })
}
