import * as z from 'zod/mini'
import { USER_READERS } from '../permissions.ts'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { LOCKED } from '../refusal-lists.ts'
import { sorting } from '../fields.ts'
import { columnFields, exportFields, unmaskFields } from '../list-export.ts'
import { CUSTOM_SLOTS } from '../custom-fields.ts'
import { USER_SORTS, userFilters } from './list.ts'

/**
 * The columns of exported users, in order (rules/users#user-export). Those of undefined fields are left out, and those of a
 * withdrawal unless the search is for withdrawn accounts.
 */
export const USER_EXPORT_COLUMNS = [
  'userId',
  'name',
  'affiliationName',
  'position',
  'phoneNumber',
  'email',
  'roleName',
  'partnerCode',
  'approval',
  'validFrom',
  'validTo',
  'registeredAt',
  'lastLoginAt',
  'teamName',
  'employeeNumber',
  ...CUSTOM_SLOTS,
  // Only withdrawn accounts have values.
  'withdrawnAt',
  'withdrawnBy',
  'withdrawnReason',
] as const

/**
 * Exports every user that a search with these filters finds, as a CSV or XLSX file (rules/users#user-export). The audit
 * log records the reason. Phone numbers and emails are masked, unless the caller has `autho_export_personal` and enters
 * the password. EXPORT_BUSY if another export of the caller or too many others are running; EXPORT_TOO_LARGE for more
 * rows than XLSX can hold.
 */
export const exportUsers = endpoint({
  path: '/stm/v1/exp/users',
  summary: 'Export the users that a search finds as CSV or XLSX',
  title: { ko: '사용자 목록 내보내기', en: 'Exported users' },
  access: { function: USER_READERS },
  confirmed: 'password',
  input: z.strictObject({
    ...userFilters,
    ...sorting(USER_SORTS),
    ...columnFields(USER_EXPORT_COLUMNS),
    ...exportFields,
    ...unmaskFields,
  }),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'user.export',
  personal: ['export', 'told'],
  limit: USUAL_LIMIT,
  answer: 'file',
})
