import * as z from 'zod/mini'
import { AUDIT_ACTIONS, AUDIT_NOUNS, RIGHTS } from './audit-actions.ts'
import { endpoint, USUAL_LIMIT } from './endpoint.ts'
import { USER_READERS } from './permissions.ts'
import { LOCKED } from './refusal-lists.ts'
import { choiceFilter, filter, optionalDate, paging, timestamp, totalCount } from './fields.ts'
import { exportFields, unmaskFields } from './list-export.ts'

export * from './audit/access.ts'
export * from './audit/inspections.ts'
export * from './audit/leaks.ts'
export * from './audit/policy.ts'
export * from './audit/reviews.ts'

/** Number of rows on a page of the audit log. */
export const AUDIT_PER_PAGE = 20
/** Number of rows on a page of the history of a record. */
export const HISTORY_PER_PAGE = 5

/** Access policy of the calls that search the audit log. */
const search = { function: ['autho_audit_search'] } as const

/** The records that have a page of their own. */
const RECORD_KINDS = ['user', 'partner', 'notice'] as const

/** The kinds of records with a history: single records, and the roles, affiliations and settings as a whole, each on one page. */
export const HISTORY_KINDS = [...RECORD_KINDS, 'role', 'affiliation', 'setting'] as const

/** The filters of the audit log (rules/audit#audit-search); dates are inclusive in Asia/Seoul. */
const auditFilters = {
  changedFrom: optionalDate,
  changedTo: optionalDate,
  /** The actor: a login ID or a full name. */
  actor: filter(),
  /** The affected record: its current name, or its last name if it no longer exists. */
  target: filter(),
  /** An action, a noun, or `RIGHTS`. */
  action: choiceFilter([...AUDIT_ACTIONS, ...(AUDIT_NOUNS as readonly string[]), RIGHTS]),
  address: filter(),
}

/** A row of the audit log, in the caller's language (rules/audit#words). */
const auditRow = z.object({
  rowNumber: z.number(),
  changedAt: timestamp,
  /** Login ID of the actor; empty without a session, and if the account no longer exists. */
  userId: z.string(),
  name: z.string(),
  /** IP address of the actor; empty for changes by the server itself. */
  address: z.string(),
  action: z.string(),
  /** The name of the record at that time; for roles and affiliations their names. */
  target: z.string(),
  /** The kind of the affected record, if it still exists. `recordId` holds its current login ID, partner code or number. */
  recordKind: z.enum(['', ...RECORD_KINDS]),
  recordId: z.string(),
  changes: z.array(z.object({ item: z.string(), before: z.string(), after: z.string() })),
})

/** A row of the whole audit log. `undoId` names the bulk change of users to undo; empty for other rows. */
const auditLogRow = z.extend(auditRow, { undoId: z.string() })

/** Lists the audit log, newest first. */
export const listAudit = endpoint({
  path: '/adt/v1/get/AuditList',
  summary: 'Search the audit log',
  title: { ko: '감사 기록 조회', en: 'Searched the audit log' },
  access: search,
  scope: 'audit:read',
  input: z.strictObject({ ...auditFilters, ...paging(AUDIT_PER_PAGE) }),
  output: z.object({ rows: z.array(auditLogRow), totalCount }),
  audit: 'none',
  personal: ['search', 'told'],
})

/** The columns of the exported audit log, in order. */
export const AUDIT_EXPORT_COLUMNS = [
  'changedAt',
  'userId',
  'name',
  'address',
  'action',
  'target',
  'changes',
] as const

/**
 * Exports every row that a search with these filters finds. Phone numbers and emails in it are always masked.
 * PASSWORD_WRONG for a wrong password, EXPORT_BUSY while other exports run, EXPORT_TOO_LARGE for more rows than a sheet
 * has.
 */
export const exportAudit = endpoint({
  path: '/adt/v1/exp/AuditList',
  summary: 'Export the audit log that a search finds as CSV or XLSX',
  title: { ko: '감사 기록 내보내기', en: 'Exported the audit log' },
  access: search,
  confirmed: 'password',
  input: z.strictObject({ ...auditFilters, ...exportFields, ...unmaskFields }),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'audit.export',
  personal: ['export', 'told'],
  limit: USUAL_LIMIT,
  answer: 'file',
})

/**
 * Lists the changes of one record, or of all roles, all affiliations or the settings, newest first
 * (rules/audit#history). FORBIDDEN for callers who neither manage this kind of records nor have
 * `autho_audit_search`. Empty for a record that does not exist, or a user above the caller.
 */
export const listHistory = endpoint({
  path: '/adt/v1/get/History',
  summary: 'Read the history of a record',
  title: { ko: '변경 이력 조회', en: 'Viewed a history' },
  access: {
    function: [
      'autho_audit_search',
      ...USER_READERS,
      'autho_partner_search',
      'autho_notice_manage',
      'autho_role_manage',
      'autho_setting_manage',
    ],
  },
  input: z.strictObject({
    recordKind: z.enum(HISTORY_KINDS, 'codeFormat'),
    /** Login ID, partner code or number of a notice; empty for the kinds that have one shared history. */
    recordId: filter(40),
    ...paging(HISTORY_PER_PAGE),
  }),
  output: z.object({ rows: z.array(auditRow), totalCount }),
  errors: ['FORBIDDEN'],
  audit: 'none',
  personal: ['read', 'told'],
})
