import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { CUSTOM_SLOTS, employeeNumber, perSlot, shownDetails } from '../custom-fields.ts'
import { LOCKED } from '../refusal-lists.ts'
import {
  anyPassword,
  anyText,
  cellError,
  code,
  date,
  email,
  grantFields,
  lastDay,
  line,
  partnerCode,
  anyPhoneNumber,
  userId,
} from '../fields.ts'

/** Maximum number of users in one import, which runs in one transaction. */
export const IMPORT_MAX_ROWS = 10_000

/** The columns of a file of users, in the order of its template (rules/users#import). */
export const IMPORT_COLUMNS = [
  'userId',
  'name',
  'affiliationCode',
  'position',
  'phoneNumber',
  'email',
  'roleCode',
  'partnerCode',
  'validFrom',
  'validTo',
  'teamName',
  'employeeNumber',
  ...CUSTOM_SLOTS,
] as const

/** A column of a file of users. */
export type ImportColumn = (typeof IMPORT_COLUMNS)[number]

/**
 * Schema of a cell: any text of at most 300 characters. Errors are reported by row, so one bad cell must not reject the
 * whole input.
 */
const cell = z._default(anyText(300), '')

/**
 * Schema of a row of an import after affiliation and role were replaced by their codes. It has the rules of the form
 * (rules/users#import-check).
 */
export const importedUser = z.strictObject({
  userId,
  name: line(50),
  affiliationCode: code,
  position: line(50),
  phoneNumber: anyPhoneNumber,
  email,
  roleCode: code,
  partnerCode,
  validFrom: date,
  validTo: lastDay,
  teamName: cell,
  employeeNumber: z._default(employeeNumber, ''),
  ...perSlot(cell),
})

/** The most users that `checkImport` returns as they would be registered. */
export const IMPORT_PREVIEWED = 20

/**
 * Schema of the rows of a file, as texts: only the number of rows and the length of cells are checked. `line` is the
 * row number in the user's spreadsheet, with header and blank rows counted; errors name it.
 */
export const importRows = z
  .array(
    z.strictObject({
      userId: cell,
      name: cell,
      affiliationCode: cell,
      position: cell,
      phoneNumber: cell,
      email: cell,
      roleCode: cell,
      partnerCode: cell,
      validFrom: cell,
      validTo: cell,
      teamName: cell,
      employeeNumber: cell,
      ...perSlot(cell),
      line: z.optional(z.int('codeFormat').check(z.positive('codeFormat'))),
    } satisfies Record<ImportColumn | 'line', unknown>),
    'notRows',
  )
  .check(z.minLength(1, 'notRows'), z.maxLength(IMPORT_MAX_ROWS, `tooManyRows|${IMPORT_MAX_ROWS}`))

/** Schema of a user as a row would register them: affiliation and role by name, with the assigned partner code. */
const previewed = z.object({
  userId: z.string(),
  name: z.string(),
  affiliationName: z.string(),
  position: z.string(),
  phoneNumber: z.string(),
  email: z.string(),
  roleName: z.string(),
  partnerCode: z.string(),
  validFrom: z.string(),
  validTo: z.string(),
  /** Path of the main team; empty without one. */
  teamName: z.string(),
  ...shownDetails,
})

/** Maximum size of the request body in bytes: several times IMPORT_MAX_ROWS rows in the envelope. */
export const IMPORT_MAX_BYTES = 8 * 1024 * 1024

/**
 * Checks the rows of an import and returns the errors of every wrong cell; writes nothing (rules/users#import-check). Affiliation
 * and role are given by code or by name. `errors` holds the first thousand of `errorCount`, `preview` the first twenty users of
 * valid rows.
 */
export const checkImport = endpoint({
  path: '/stm/v1/chk/import',
  summary: 'Check rows of new users without writing anything',
  title: { ko: '사용자 일괄 등록 확인', en: 'Checked a file of new users' },
  access: { function: ['autho_user_insert'] },
  scope: 'users:write',
  input: z.strictObject({ rows: importRows }),
  output: z.object({
    rowCount: z.number(),
    errorCount: z.number(),
    errors: z.array(cellError(IMPORT_COLUMNS)),
    preview: z.array(previewed),
  }),
  audit: 'none',
  // Existing users whose ID or email is in use: the check reports it.
  personal: ['search', 'told'],
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})

/**
 * Registers the users of all rows or none. The users are approved, have no password, and are invited by email to set
 * one. The manager enters their own password, as in a single registration (rules/users#manager-password):
 * PASSWORD_WRONG, or LOGIN_LOCKED or PASSWORD_DISABLED after too many wrong ones. IMPORT_INVALID if a row has an error;
 * MAIL_UNAVAILABLE if no mail can be sent.
 */
export const importUsers = endpoint({
  path: '/stm/v1/ins/import',
  summary: 'Register many users',
  title: { ko: '사용자 일괄 등록', en: 'Imported users' },
  access: { function: ['autho_user_insert'] },
  scope: 'users:write',
  confirmed: 'password',
  input: z.strictObject({ rows: importRows, managerPassword: anyPassword, ...grantFields }),
  output: z.object({ rowCount: z.number() }),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'IMPORT_INVALID', 'MAIL_UNAVAILABLE'],
  audit: 'user.import',
  personal: ['change', 'in.rows[].userId'],
  mails: 'invitationWritten',
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})
