import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, sorting } from '../fields.ts'
import { USER_SORTS, userFilters } from './list.ts'

/** The forms of an exported list. */
export const EXPORT_FORMATS = ['xlsx', 'csv'] as const

/** The columns of an exported list, in their order (issue 4). */
export const EXPORT_COLUMNS = [
  'USER_ID',
  'NAME',
  'BELONGTO',
  'RANK',
  'PHONE_NUMBER',
  'E_MAIL',
  'AUTHORITYS',
  'PARTNER_CODE',
  'APPROVA',
  'EXPIRY_DATETIME_START',
  'EXPIRY_DATETIME_END',
  'REGSTER_DATETIME',
  'LAST_LOGIN_DATETIME',
] as const

/**
 * Every user that a search with these filters finds, as a file (issue 4). The reason stays on record. Phone number
 * and e-mail are masked unless PASSWORD is the caller's own, entered again.
 */
export const exportUsers = endpoint({
  path: '/stm/v1/exp/users',
  summary: 'Export the users that a search finds as CSV or XLSX',
  access: { function: ['autho_user_manage'] },
  input: z.strictObject({
    ...userFilters,
    ...sorting(USER_SORTS),
    FORMAT: z.enum(EXPORT_FORMATS, 'codeFormat'),
    REASON: line(200),
    PASSWORD: z._default(
      z.string({ error: 'notText' }).check(z.normalize('NFC'), z.maxLength(128, 'tooLong|128')),
      '',
    ),
  }),
  output: z.object({}),
  errors: ['PASSWORD_WRONG', 'LOGIN_LOCKED', 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'user.export',
  limit: { points: 60, seconds: 60 },
  answer: 'file',
})
