import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { LOCKED } from '../refusal-lists.ts'
import { sorting } from '../fields.ts'
import { columnFields, exportFields, unmaskFields } from '../list-export.ts'
import { KEY_SORTS, keyFilters, search } from './history.ts'

/**
 * The columns of the exported history, in order: those of the list, the region in two columns, time and user of a revocation,
 * the partner and the version of the secret.
 */
export const KEY_EXPORT_COLUMNS = [
  'provinceName',
  'districtName',
  'affiliationName',
  'userId',
  'name',
  'phoneNumber',
  'requestKey',
  'issuedKey',
  'issuedAt',
  'revokedAt',
  'revokeReason',
  'revokedBy',
  'partnerCode',
  'secretVersion',
] as const

/**
 * Returns a CSV or XLSX file of all keys that a search with these filters finds (rules/keys#key-export). issuedKey is
 * masked always, phone numbers unless the caller's password was entered (PASSWORD_WRONG for a wrong one).
 * EXPORT_TOO_LARGE above the limit of rows, EXPORT_BUSY while other exports run.
 */
export const exportKeys = endpoint({
  path: '/kmn/v1/exp/KeyList',
  summary: 'Export the history of issued keys that a search finds as CSV or XLSX',
  title: { ko: '키 발급 이력 내보내기', en: 'Exported issued keys' },
  access: search,
  confirmed: 'password',
  input: z.strictObject({
    ...keyFilters,
    ...sorting(KEY_SORTS),
    ...columnFields(KEY_EXPORT_COLUMNS),
    ...exportFields,
    ...unmaskFields,
  }),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'key.export',
  personal: ['export', 'told'],
  limit: USUAL_LIMIT,
  answer: 'file',
})
