import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { LOCKED } from '../refusal-lists.ts'
import { anyPassword, cellError, grantFields, recordVersion } from '../fields.ts'
import { IMPORT_COLUMNS, IMPORT_MAX_BYTES, importRows } from './import.ts'

/**
 * Schema of a field that a row changes, with the present and the new value as the page shows them: affiliation, role
 * and team by name, '' for none. The new value may differ from the cell, as the default partner of a new affiliation
 * does.
 */
const changedCell = z.object({
  field: z.enum(IMPORT_COLUMNS),
  present: z.string(),
  wanted: z.string(),
})

/**
 * Previews an update of the users in these rows, matched by ID, or returns the errors that would prevent it
 * (rules/users#update-check). Writes nothing. An empty cell keeps the value. `errors` holds the first thousand of
 * `errorCount`, `users` the first twenty of the `userCount` who change. The client sends the version back with
 * `updateByImport`, which is refused if any user in the file has changed since.
 */
export const checkUpdates = endpoint({
  path: '/stm/v1/chk/updates',
  summary: 'Preview an update of users by a file',
  title: { ko: '사용자 일괄 수정 미리보기', en: 'Previewed an update by file' },
  access: { function: ['autho_user_manage'] },
  scope: 'users:write',
  input: z.strictObject({ rows: importRows }),
  output: z.object({
    version: z.string(),
    rowCount: z.number(),
    errorCount: z.number(),
    errors: z.array(cellError(IMPORT_COLUMNS)),
    /** Number of users who will change. */
    userCount: z.number(),
    /** Number of users who already match their row. */
    unchangedCount: z.number(),
    users: z.array(z.object({ userId: z.string(), name: z.string(), cells: z.array(changedCell) })),
  }),
  audit: 'none',
  personal: ['search', 'told'],
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})

/**
 * Updates all users by the rows of a checked file, or none, with an audit row for each. The manager enters their own
 * password, as in a registration (rules/users#manager-password): PASSWORD_WRONG, or LOGIN_LOCKED or PASSWORD_DISABLED
 * after too many wrong ones. RECORD_CHANGED if anything differs from `checkUpdates`; IMPORT_INVALID if a row has an
 * error; BULK_NOBODY if every user already matches their row; LAST_ADMIN if no 관리자 would remain; LAST_ADMIN_ENDS if the
 * last one would end earlier than before. `userCount` is the number of changed users.
 */
export const updateByImport = endpoint({
  path: '/stm/v1/upd/import',
  summary: 'Update many users by a file',
  title: { ko: '사용자 일괄 수정', en: 'Updated users by file' },
  access: { function: ['autho_user_manage'] },
  scope: 'users:write',
  confirmed: 'password',
  input: z.strictObject({
    rows: importRows,
    version: recordVersion,
    managerPassword: anyPassword,
    ...grantFields,
  }),
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
  auditsEach: true,
  limit: USUAL_LIMIT,
  maxBytes: IMPORT_MAX_BYTES,
})
