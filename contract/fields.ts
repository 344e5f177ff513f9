import * as z from 'zod/mini'
import { anyPassword, composed, CONTROL, lineOrEmpty, requiredText } from './text-fields.ts'

export { anyPassword, anyText, areSameText, flag, line, lineOrEmpty } from './text-fields.ts'

/** A filter: like `line`, but empty or left out means no filter (rules/lists#filters). */
export function filter(max = 100) {
  return z._default(lineOrEmpty(max), '')
}

/** CODE of the 'all' entry of a list; as a filter it means none (rules/lists#filters). */
export const ALL = 'ALL'

/** A filter by code: `ALL`, empty or left out means no filter and becomes '' (rules/lists#filters). */
export function codeFilter() {
  return z.pipe(
    filter(40),
    z.transform((code) => (code === ALL ? '' : code)),
  )
}

/** A filter by one of few values: `ALL`, empty or left out means no filter and becomes ''. */
export function choiceFilter<const V extends string>(values: readonly V[]) {
  return z.pipe(
    z._default(z.enum(['', ALL, ...values], 'codeFormat'), '' as never),
    z.transform((value): V | '' => (value === ALL ? '' : (value as V))),
  )
}

const CONTROL_EXCEPT_LINES = /[^\P{Cc}\n\t]|[\p{Cs}\p{Noncharacter_Code_Point}]/u

/** Several lines of text, possibly none; NFC, line ends as \n, at most `max` characters. */
export function multiline(max: number) {
  return z.string(requiredText).check(
    z.overwrite((text) => text.replaceAll('\r\n', '\n')),
    ...composed(max),
    z.refine((text) => !CONTROL_EXCEPT_LINES.test(text), 'controlCharacter'),
  )
}

/** User ID: 4 to 20 of a-z 0-9 . _ -, compared case-insensitively, kept in lower case (rules/users#user-id). */
export const userId = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'required'),
    z.regex(/^[a-z0-9._-]{4,20}$/, 'userIdFormat'),
  )

/** How the ID of an erased account begins: no ID that is given does (rules/retention#withdrawn-people). */
const ERASED = '~'

/** Whether an ID is of an account that names nobody any more. */
export const isErased = (id: string) => id.startsWith(ERASED)

/** What people put between the digits of a phone number: blanks, hyphens of any length, points, brackets. */
const BETWEEN_DIGITS = /[\s\-.()\u2010-\u2015\u2212]/g

/**
 * A phone number as it is kept: without what stands between its digits, and +82 as the 0 that it stands for. What does not
 * become 11 digits stays as it was typed.
 */
export function plainPhone(text: string): string {
  const digits = text.replaceAll(BETWEEN_DIGITS, '').replace(/^(?:(?:\+|00)820?|82(?=1\d{9}$))/, '0')
  return /^[0-9]{11}$/.test(digits) ? digits : text
}

/** Phone number: exactly 11 digits everywhere (rules/users#phone-number). */
export const phoneNumber = z
  .string(requiredText)
  .check(
    z.trim(),
    z.minLength(1, 'required'),
    z.overwrite(plainPhone),
    z.regex(/^[0-9]{11}$/, 'phoneNumberFormat'),
  )

/** E-mail address in lower case, at most 254 characters. */
export const email = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'required'),
    z.maxLength(254, 'tooLong|254'),
    z.regex(z.regexes.email, 'emailFormat'),
  )

/** The shortest password, and from how many characters on two kinds of them are enough. */
export const PASSWORD_MIN = 8
export const PASSWORD_LONG = 10

/**
 * A new password: 8 to 128 characters; at least two of letters, digits and symbols when 10 or longer,
 * else all three (rules/account#password-rules). The rules that need the person's data are the server's.
 */
export const newPassword = anyPassword.check(
  z.refine((password) => password.length === 0 || password.length >= PASSWORD_MIN, 'passwordTooShort'),
  z.refine((password) => password.length < PASSWORD_MIN || hasEnoughKinds(password), 'passwordTooSimple'),
  z.refine((password) => !CONTROL.test(password), 'controlCharacter'),
)

function hasEnoughKinds(password: string): boolean {
  const kinds = [/\p{L}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length
  return kinds >= (password.length >= PASSWORD_LONG ? 2 : 3)
}

/** What a certification mail carries: 6 digits (rules/account#certification-code). */
export const certificationCode = z
  .string({ error: 'notText' })
  .check(z.minLength(1, 'required'), z.regex(/^[0-9]{6}$/, 'certifyNumberFormat'))

/** A calendar date YYYY-MM-DD that exists, 1900-01-01 to 2099-12-31 (rules/frame#dates). */
export const date = z.string(requiredText).check(
  z.minLength(1, 'required'),
  z.refine((text) => text === '' || isCalendarDate(text), 'dateFormat'),
  z.refine(
    (text) => !isCalendarDate(text) || (text >= '1900-01-01' && text <= '2099-12-31'),
    'dateOutOfBounds',
  ),
)

/** A date, or empty for none. */
export const dateOrEmpty = z.union([z.literal(''), date], { error: 'dateFormat' })

/** A date, or empty for none. */
export const optionalDate = z._default(dateOrEmpty, '')

/**
 * A date sent with the end of its day, 'YYYY-MM-DD 23:59:59' (rules/partners#partner-validity), or empty; kept as the
 * date.
 */
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

interface Validity {
  validFrom?: string | undefined
  validTo?: string | undefined
}

/** The end of a validity must not lie before its start; either may be empty or left out, and what is no date is wrong alone. */
export const datesInOrder = z.refine<Validity>(
  ({ validFrom: start, validTo: end }) => !isDate(start) || !isDate(end) || start <= end,
  { error: 'datesOutOfOrder', path: ['validTo'] },
)

// A partner's last day comes with its last second.
const isDate = (text: string | undefined): text is string => date.safeParse(text?.slice(0, 10)).success

/** Whether a text is YYYY-MM-DD and a day that exists (2026-02-30 does not). */
function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** A moment in Asia/Seoul, 'YYYY-MM-DD HH:mm' with or without seconds, on a day that `date` takes. */
export const moment = z
  .string(requiredText)
  .check(
    z.refine(
      (text) =>
        /^.{10} ([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text) && date.safeParse(text.slice(0, 10)).success,
      'momentFormat',
    ),
  )

/** An entry of a code list, as chosen in a select. */
export const code = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'codeFormat'))

/** The number of a record, as the server gave it out. */
export const recordId = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^[1-9][0-9]{0,17}$/, 'recordIdFormat'))

/**
 * The version of a record as it was read, a digest: it comes back with an edit, which is refused when it has changed.
 */
export const recordVersion = z.string({ error: 'notText' }).check(z.regex(/^[\w-]{22}$/, 'codeFormat'))

/** Partner code: A-Z 0-9 - _, 2 to 30, in upper case (rules/partners#partner-code). */
export const partnerCode = z
  .string(requiredText)
  .check(
    z.trim(),
    z.toUpperCase(),
    z.minLength(1, 'required'),
    z.regex(/^[A-Z0-9_-]{2,30}$/, 'partnerCodeFormat'),
  )

/** `page` starts at 1, `perPage` is 1 to 100 (rules/lists#paging). */
export function paging(perPage: number) {
  return { page: wholeNumber(1, 1_000_000_000, 1), perPage: wholeNumber(1, 100, perPage) }
}

/**
 * `sort` is a column of the list and `order` its direction. Both may be left out: empty means the list's own order, newest first (rules/lists#order).
 * @param columns the columns that the list sorts by
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema that is given back is of C
export function sorting<const C extends string>(columns: readonly C[]) {
  return {
    // TypeScript does not see that '' is one of them while the columns are open.
    sort: z._default(z.enum(['', ...columns], 'codeFormat'), '' as never),
    order: z._default(z.enum(['ASC', 'DESC'], 'codeFormat'), 'ASC'),
  }
}

/** A whole number from `min` to `max`; left out it is the fallback. */
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

/** A list answer's count. */
export const totalCount = z.number()

/** 'YYYY-MM-DD HH:mm:ss' in Asia/Seoul (rules/wire#times). */
export const timestamp = z.string()

/** What is wrong with a cell of a file: its row from 1 on, its column, and why in the person's language. */
export const cellError = <const Column extends string>(columns: readonly Column[]) =>
  z.object({ row: z.number(), field: z.enum(columns), message: z.string() })
