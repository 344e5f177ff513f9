/** A value that a field or a whole input may be replaced by; as JSON text, which can say what a value cannot. */
export interface WrongValue {
  label: string
  json: string
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const value = (label: string, of: unknown): WrongValue => ({ label, json: JSON.stringify(of) })

/** What no field can be, whatever its type. */
export const NEVER: readonly WrongValue[] = [
  value('null', null),
  value('an empty array', []),
  value('an array', ['x']),
  value('an array of the like', ['BEL001', 'BEL002']),
  value('an object', { x: 1 }),
  value('an operator of another database', { $ne: null }),
  { label: 'an object nested 10,000 deep', json: `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}` },
  { label: 'an array nested 10,000 deep', json: nested(10_000) },
]

/** What a field that takes text cannot be. */
export const NO_TEXT: readonly WrongValue[] = [
  value('zero', 0),
  value('a number', 20_260_301),
  value('a negative number', -1),
  value('a float', 1.5),
  { label: 'a number past every bound', json: '1e999' },
]

/** What a field that takes a whole number from 1 (or a limit) cannot be. */
export const NO_NUMBER: readonly WrongValue[] = [
  value('an empty text', ''),
  value('a number as text', '1'),
  value('a word', 'ALL'),
  value('true', true),
  value('far too small', -1e15),
  value('far too large', 1e15),
  { label: 'infinite', json: '1e999' },
  value('not a number', 'NaN'),
]

/** Text that no field takes: what PostgreSQL, a log, a mail or a file name cannot hold, or far too long. */
export const NO_TEXT_AT_ALL: readonly WrongValue[] = [
  value('NUL', 'a\u0000b'),
  { label: 'a lone surrogate', json: String.raw`"a\ud800b"` },
  { label: 'a lone low surrogate', json: String.raw`"\udc00"` },
  value('control characters', 'a\u0007\u001b[31mb'),
  value('200,001 characters', 'a'.repeat(200_001)),
]

/** What no field holds that is no longer than 200,000 characters, and nearly the most that a call reads. */
export const NEARLY_A_MEGABYTE: WrongValue = value(
  '700,000 bytes',
  '가'.repeat(200_000) + 'a'.repeat(100_000),
)

/** A letter with marks above and below, which composing has to put in order. */
export const marks = (count: number) =>
  `a${'\u0301'.repeat(Math.ceil(count / 2))}${'\u0327'.repeat(Math.floor(count / 2))}`

/** Text that a field may take or refuse, but never stumble over. */
export const STRANGE_TEXT: readonly WrongValue[] = [
  value('empty', ''),
  value('blank', '   '),
  value('wildcards', String.raw`%_\ `),
  value('a backslash', '\\'),
  value('SQL', `'; drop table users; --`),
  value('more SQL', `x' or '1'='1`),
  value('HTML', '<script>alert(1)</script>'),
  value('a template', '${7*7}{{7*7}}'),
  value('a path', '../../../etc/passwd'),
  value('a header', 'a\r\nSet-Cookie: x=1'),
  value('a date that does not exist', '2026-02-30'),
  value('a record that does not exist', '999999999999999999'),
  value('past the largest ID', '9223372036854775808'),
  value('a code that does not exist', 'NO_SUCH_CODE'),
  value('names of the prototype', '__proto__'),
  value('an emoji', '👩‍👩‍👧‍👦'),
  value('Korean taken apart', '한글'.normalize('NFD')),
  value('from right to left', '\u202Egnp.exe'),
]

/** What no whole input can be. */
export const NO_INPUT: readonly WrongValue[] = [
  ...NEVER,
  value('a number', 1),
  value('a text', 'userId'),
  value('true', true),
].filter(({ label }) => !label.includes('object'))
