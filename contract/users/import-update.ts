import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { LOCKED } from '../refusal-lists.ts'
import { anyPassword, cellError, recordVersion } from '../fields.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_BYTES, importRows } from './import.ts'

/** What a row changes of somebody: a cell, with what stands there now and what will, in words. */
const changedCell = z.object({
  field: z.enum(IMPORT_COLUMNS),
  present: z.string(),
  wanted: z.string(),
})

/**
 * What an update of the people in these rows would do, matched by ID, or what it would be refused for
 * (rules/users#update-check): nothing is written. An empty cell leaves the value as it is. `errors` holds the first
 * thousand of `errorCount`, `users` the first twenty of the `userCount` who change. The version comes back with the
 * update, which is refused when anybody in the file is no longer as they were here.
 */
export const checkUpdates = endpoint({
  path: '/stm/v1/chk/updates',
  summary: 'What an update of users by a file would do',
  title: { ko: '사용자 일괄 수정 미리보기', en: 'Previewed an update by file' },
  access: { function: ['autho_user_manage'] },
  input: z.strictObject({ rows: importRows }),
  output: z.object({
    version: z.string(),
    rowCount: z.number(),
    errorCount: z.number(),
    errors: z.array(cellError(IMPORT_COLUMNS)),
    /** How many will change. */
    userCount: z.number(),
    /** How many are as their row says already. */
    unchangedCount: z.number(),
    users: z.array(z.object({ userId: z.string(), name: z.string(), cells: z.array(changedCell) })),
  }),
  errors: [],
  audit: 'none',
  personal: ['search', 'told'],
  perPerson: 'heavy',
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})

/**
 * Changes everybody as the rows say, or nobody. The manager proves their own password, as when registering
 * (rules/users#manager-password).
 */
export const updateByImport = endpoint({
  path: '/stm/v1/upd/import',
  summary: 'Update many users by a file',
  title: { ko: '사용자 일괄 수정', en: 'Updated users by file' },
  access: { function: ['autho_user_manage'] },
  confirmed: 'password',
  input: z.strictObject({ rows: importRows, version: recordVersion, managerPassword: anyPassword }),
  output: z.object({ userCount: z.number() }),
  errors: [
    'PASSWORD_WRONG',
    ...LOCKED,
    'RECORD_CHANGED',
    'IMPORT_INVALID',
    'BULK_NOBODY',
    'LAST_ADMIN',
    'LAST_ADMIN_ENDS',
  ],
  audit: 'user.update',
  personal: ['change', 'told'],
  perPerson: 'heavy',
  auditsEach: true,
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})
