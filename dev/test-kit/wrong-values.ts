/** A value that replaces a field or a whole input. It is JSON text, which can express more than a JavaScript value. */
export interface WrongValue {
  label: string
  json: string
}

/** Returns an array nested to a depth of 1 or more, as JSON. */
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
/** Returns a wrong value from a JavaScript value. */
const value = (label: string, of: unknown): WrongValue => ({ label, json: JSON.stringify(of) })

/** Values that are invalid for a field of any type. */
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

/** Values that are invalid for a text field. */
export const NO_TEXT: readonly WrongValue[] = [
  value('zero', 0),
  value('a number', 20_260_301),
  value('a negative number', -1),
  value('a float', 1.5),
  { label: 'a number past every bound', json: '1e999' },
]

/** Values that are invalid for a field with a whole number from 1, or a limit. */
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

/** Texts that no field accepts: with characters that PostgreSQL, a log, a mail or a file name cannot store, or far too long. */
export const NO_TEXT_AT_ALL: readonly WrongValue[] = [
  value('NUL', 'a\u0000b'),
  { label: 'a lone surrogate', json: String.raw`"a\ud800b"` },
  { label: 'a lone low surrogate', json: String.raw`"\udc00"` },
  value('control characters', 'a\u0007\u001b[31mb'),
  value('200,001 characters', 'a'.repeat(200_001)),
]

/** Text of 300,000 characters: longer than any field accepts, and almost as large as a call may be. */
export const NEARLY_A_MEGABYTE: WrongValue = value(
  '700,000 bytes',
  '가'.repeat(200_000) + 'a'.repeat(100_000),
)

/** Returns a letter with this many marks above and below, which Unicode normalization must sort. */
export const marks = (count: number) =>
  `a${'\u0301'.repeat(Math.ceil(count / 2))}${'\u0327'.repeat(Math.floor(count / 2))}`

/** Texts that a field may accept or refuse, but that must not cause an unexpected error. */
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

/** Values that are invalid as a whole input. Leaves out those of NEVER whose label names an object. */
export const NO_INPUT: readonly WrongValue[] = [
  ...NEVER,
  value('a number', 1),
  value('a text', 'userId'),
  value('true', true),
].filter(({ label }) => !label.includes('object'))
