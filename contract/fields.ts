import * as z from 'zod/mini'
import { anyPassword, normalizedText, CONTROL, lineOrEmpty, requiredText } from './text-fields.ts'

export { anyPassword, anyText, areSameText, flag, line, lineOrEmpty } from './text-fields.ts'

/** Creates a schema for a filter: like `line`, but empty or left out means no filter (rules/lists#filters). */
export function filter(max = 100) {
  return z._default(lineOrEmpty(max), '')
}

/** CODE of the 'all' entry of a list; as a filter it means no filter (rules/lists#filters). */
export const ALL = 'ALL'

/**
 * Creates a schema for a filter by code: `ALL`, empty or left out means no filter and becomes '' (rules/lists#filters).
 * Any text of at most 40 characters passes.
 */
export function codeFilter() {
  return z.pipe(
    filter(40),
    z.transform((code) => (code === ALL ? '' : code)),
  )
}

/**
 * Creates a schema for a filter by one of a few values: `ALL`, empty or left out means no filter and becomes ''.
 * Refuses any other value ('codeFormat').
 */
export function choiceFilter<const V extends string>(values: readonly V[]) {
  return z.pipe(
    z._default(z.enum(['', ALL, ...values], 'codeFormat'), '' as never),
    z.transform((value): V | '' => (value === ALL ? '' : (value as V))),
  )
}

/**
 * A character that text of several lines must not have: a control character other than a line end or a tab, a lone
 * surrogate or a noncharacter.
 */
const CONTROL_EXCEPT_LINES = /[^\P{Cc}\n\t]|[\p{Cs}\p{Noncharacter_Code_Point}]/u

/**
 * Creates a schema for text of several lines, possibly empty: NFC, at most `max` characters ('tooLong'), not trimmed.
 * Converts CRLF to \n. Refuses other control characters than tabs, lone surrogates and noncharacters
 * ('controlCharacter'), and too many combining marks in a row ('tooManyMarks').
 */
export function multiline(max: number) {
  return z.string(requiredText).check(
    z.overwrite((text) => text.replaceAll('\r\n', '\n')),
    ...normalizedText(max),
    z.refine((text) => !CONTROL_EXCEPT_LINES.test(text), 'controlCharacter'),
  )
}

/**
 * User ID: 4 to 20 of a-z 0-9 . _ - ('userIdFormat'), compared case-insensitively, stored in lower case
 * (rules/users#user-id). Trims the text.
 */
export const userId = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'required'),
    z.regex(/^[a-z0-9._-]{4,20}$/, 'userIdFormat'),
  )

/** The prefix of the ID of an anonymized account; no user ID starts with it (rules/retention#withdrawn-people). */
const ERASED = '~'

/** The prefix of the ID of a program account (rules/keys#program-accounts); no user ID and no email has a colon. */
export const PROGRAM_PREFIX = 'program:'

/**
 * Returns whether an ID belongs to a user with a profile card: not to an anonymized account or a program. Does not
 * check that the account exists; true for ''.
 */
export const hasProfile = (id: string) => !id.startsWith(ERASED) && !id.startsWith(PROGRAM_PREFIX)

/** The characters that users type between the digits of a phone number: blanks, hyphens of any length, points, brackets. */
const BETWEEN_DIGITS = /[\s\-.()\u2010-\u2015\u2212]/g

/**
 * Returns a phone number as it is stored: digits only, with +82, 0082 or 82 replaced by 0. A text that does
 * not become 11 digits stays unchanged.
 */
export function plainPhone(text: string): string {
  const digits = text.replaceAll(BETWEEN_DIGITS, '').replace(/^(?:(?:\+|00)820?|82(?=1\d{9}$))/, '0')
  return /^[0-9]{11}$/.test(digits) ? digits : text
}

/** Digits of a landline with its area code: 9 or 10 of them. */
const LANDLINE = /^0[0-9]{8,9}$/

/**
 * Returns a landline of 9 or 10 digits as it is stored, and any other number as `plainPhone`, which leaves a text that
 * is no number unchanged.
 */
export function plainLandline(text: string): string {
  const digits = text.replaceAll(BETWEEN_DIGITS, '').replace(/^(?:\+|00)820?/, '0')
  return LANDLINE.test(digits) ? digits : plainPhone(text)
}

/**
 * Phone number: 11 digits, or a landline ('phoneNumberFormat'); converted to digits by `plainLandline`. The server
 * refuses a landline unless the setting allows it (rules/users#landlines).
 */
export const anyPhoneNumber = z.string(requiredText).check(
  z.trim(),
  z.minLength(1, 'required'),
  z.overwrite(plainLandline),
  z.refine((text) => isMobile(text) || LANDLINE.test(text), 'phoneNumberFormat'),
)

/**
 * Returns whether a phone number as it is stored, without hyphens, has 11 digits. False for a landline, which has 9 or
 * 10.
 */
export const isMobile = (phone: string): boolean => /^[0-9]{11}$/.test(phone)

/** Phone number: exactly 11 digits ('phoneNumberFormat'), converted by `plainPhone` (rules/users#phone-number). */
export const phoneNumber = z
  .string(requiredText)
  .check(
    z.trim(),
    z.minLength(1, 'required'),
    z.overwrite(plainPhone),
    z.regex(/^[0-9]{11}$/, 'phoneNumberFormat'),
  )

/** Email address in lower case, trimmed, at most 254 characters ('emailFormat', 'tooLong'). */
export const email = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'required'),
    z.maxLength(254, 'tooLong|254'),
    z.regex(z.regexes.email, 'emailFormat'),
  )

/** Minimum length of a password, in characters, for `newPassword`. */
export const PASSWORD_MIN = 8
/** Length in characters from which a password needs only two kinds of characters. */
export const PASSWORD_LONG = 10

/**
 * A new password: 8 to 128 characters ('passwordTooShort', 'tooLong'); at least two of letters, digits and symbols if
 * it has 10 or more, otherwise all three ('passwordTooSimple'); no control characters (rules/account#password-rules).
 * The server checks the rules that need the user's data.
 */
export const newPassword = anyPassword.check(
  z.refine((password) => password.length === 0 || password.length >= PASSWORD_MIN, 'passwordTooShort'),
  z.refine((password) => password.length < PASSWORD_MIN || hasEnoughKinds(password), 'passwordTooSimple'),
  z.refine((password) => !CONTROL.test(password), 'controlCharacter'),
)

/** Returns whether a password has enough kinds of characters (letters, digits, others) for its length. */
function hasEnoughKinds(password: string): boolean {
  const kinds = [/\p{L}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  return kinds >= (password.length >= PASSWORD_LONG ? 2 : 3)
}

/** A verification code of an email: 6 digits, otherwise 'certifyNumberFormat' (rules/account#certification-code). */
export const certificationCode = z
  .string({ error: 'notText' })
  .check(z.minLength(1, 'required'), z.regex(/^[0-9]{6}$/, 'certifyNumberFormat'))

/** Checks of a date, which may be empty: that it exists, and that it is from 1900 to 2099. */
const isDay = [
  z.refine<string>((text) => text === '' || isCalendarDate(text), 'dateFormat'),
  z.refine<string>(
    (text) => !isCalendarDate(text) || (text >= '1900-01-01' && text <= '2099-12-31'),
    'dateOutOfBounds',
  ),
]

/**
 * A calendar date YYYY-MM-DD that exists ('dateFormat'), 1900-01-01 to 2099-12-31 ('dateOutOfBounds')
 * (rules/frame#dates). Not empty.
 */
export const date = z.string(requiredText).check(z.minLength(1, 'required'), ...isDay)

/** The last day of a user's validity period; empty for no end, if the setting allows it (rules/users#open-end). */
export const lastDay = z.string(requiredText).check(...isDay)

/** A date, or empty for none. */
export const dateOrEmpty = z.union([z.literal(''), date], { error: 'dateFormat' })

/** A date that may be empty or left out. */
export const optionalDate = z._default(dateOrEmpty, '')

/** A date sent with the end of its day, 'YYYY-MM-DD 23:59:59' (rules/partners#partner-validity), or empty; stored as the date. */
export const optionalEndDate = z._default(
  z.pipe(
    z.string(requiredText),
    z.pipe(
      z.transform((text: string) => text.replace(/ 23:59:59$/, '')),
      dateOrEmpty,
    ),
  ),
  '',
)

/** Checks that the validity period has an end, as it must unless the setting allows none (rules/users#open-end). */
export const endRequired = z.refine<Validity>(({ validTo }) => validTo !== '', {
  error: 'required',
  path: ['validTo'],
})

/** The fields of a validity period. */
interface Validity {
  validFrom?: string | undefined
  validTo?: string | undefined
}

/**
 * Checks that the end of a validity period is not before its start ('datesOutOfOrder' at `validTo`). Either may be
 * empty or left out; an invalid date is reported by its own field.
 */
export const datesInOrder = z.refine<Validity>(
  ({ validFrom: start, validTo: end }) => !isDate(start) || !isDate(end) || start <= end,
  { error: 'datesOutOfOrder', path: ['validTo'] },
)

/**
 * Returns whether a text begins with a valid date; false for '' and undefined. The last day of a partner is sent with
 * its last second.
 */
const isDate = (text: string | undefined): text is string => date.safeParse(text?.slice(0, 10)).success

/** Returns whether a text is YYYY-MM-DD and an existing day (2026-02-30 is not). */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/**
 * A time in Asia/Seoul, 'YYYY-MM-DD HH:mm' with or without seconds, on a day that `date` allows; otherwise
 * 'momentFormat'.
 */
export const moment = z
  .string(requiredText)
  .check(
    z.refine(
      (text) =>
        /^.{10} ([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) && date.safeParse(text.slice(0, 10)).success,
      'momentFormat',
    ),
  )

/**
 * A code from a code list, as a select sends it: 1 to 40 of A-Z a-z 0-9 _ - ('codeFormat'). Does not check that the
 * code exists.
 */
export const code = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'codeFormat'))

/** The number of a record as text, as the server assigned it: 1 to 18 digits ('recordIdFormat'). */
export const recordId = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^[1-9][0-9]{0,17}$/, 'recordIdFormat'))

/**
 * The version of a record, a digest of 22 characters ('codeFormat'). The client sends it back with an edit, which is
 * refused if the record has changed since.
 */
export const recordVersion = z.string({ error: 'notText' }).check(z.regex(/^[\w-]{22}$/, 'codeFormat'))

/**
 * Partner code: A-Z 0-9 - _, 2 to 30 ('partnerCodeFormat'), trimmed and in upper case (rules/partners#partner-code).
 */
export const partnerCode = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toUpperCase(),
    z.minLength(1, 'required'),
    z.regex(/^[A-Z0-9_-]{2,30}$/, 'partnerCodeFormat'),
  )

/**
 * Creates the paging fields: `page` starts at 1, `perPage` is 1 to 100, by default the given number ('numberRange')
 * (rules/lists#paging).
 */
export function paging(perPage: number) {
  return { page: wholeNumber(1, 1_000_000_000, 1), perPage: wholeNumber(1, 100, perPage) }
}

/**
 * Creates the sorting fields: `sort` is a column of the list and `order` its direction. An empty or missing
 * `sort` means the default order of the list (rules/lists#order); a missing `order` means ascending.
 * @param columns the columns by which the list can be sorted
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema that is given back is of C
export function sorting<const C extends string>(columns: readonly C[]) {
  return {
    // TypeScript does not infer that '' is a value of the enum while the columns are generic.
    sort: z._default(z.enum(['', ...columns], 'codeFormat'), '' as never),
    order: z._default(z.enum(['ASC', 'DESC'], 'codeFormat'), 'ASC'),
  }
}

/**
 * Creates a schema for a whole number from `min` to `max` ('notNumber', 'numberRange'); left out, it becomes the
 * fallback.
 */
export function wholeNumber(min: number, max: number, fallback: number) {
  return z._default(
    z
      .number({ error: 'notNumber' })
      .check(
        z.int('notNumber'),
        z.gte(min, `numberRange|${min}~${max}`),
        z.lte(max, `numberRange|${min}~${max}`),
      ),
    fallback,
  )
}

/** The number of rows of a list on all pages. */
export const totalCount = z.number()

/**
 * A time of the server, 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (rules/wire#times). For output only: the schema
 * does not check the format.
 */
export const timestamp = z.string()

/** Creates a schema for an error of a file's cell: its row, counted from 1, its column, and the reason in the caller's language. */
export const cellError = <const Column extends string>(columns: readonly Column[]) =>
  z.object({ row: z.number(), field: z.enum(columns), message: z.string() })

/** Reason of a grant of permissions, and the names of who requested and approved it; the settings may require them (rules/roles#grant-records). */
export const grantFields = {
  grantReason: z.optional(lineOrEmpty(200)),
  requestedBy: z.optional(lineOrEmpty(100)),
  approvedBy: z.optional(lineOrEmpty(100)),
}
/** The names of `grantFields`, as keys of an audit detail. */
export const GRANT_FIELDS = [
  'grantReason',
  'requestedBy',
  'approvedBy',
] as const satisfies (keyof typeof grantFields)[]
