import * as z from 'zod/mini'
import { AUDIT_ACTIONS, type AuditNoun, RIGHTS } from './audit-actions.ts'
import { endpoint, USUAL_LIMIT } from './endpoint.ts'
import { LOCKED } from './refusal-lists.ts'
import { choiceFilter, filter, optionalDate, paging, timestamp, totalCount } from './fields.ts'
import { exportFields, unmaskFields } from './list-export.ts'

export * from './audit/access.ts'
export * from './audit/inspections.ts'
export * from './audit/policy.ts'
export * from './audit/reviews.ts'

/** The trail shows 20 rows a page, the history of a record 5. */
export const AUDIT_PER_PAGE = 20
export const HISTORY_PER_PAGE = 5

const search = { function: ['autho_audit_search'] } as const

/** What the actions are about: all of one noun can be searched for. */
export const AUDIT_NOUNS = [...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] as AuditNoun))]

/** The records that have a page of their own. */
const RECORD_KINDS = ['user', 'partner', 'notice'] as const

/** What has a history: one record, or all roles, all affiliations, the settings, each of which have one page. */
export const HISTORY_KINDS = [...RECORD_KINDS, 'role', 'affiliation', 'setting'] as const

/** What the trail is narrowed by (rules/audit#audit-search); dates are inclusive in Asia/Seoul. */
const auditFilters = {
  changedFrom: optionalDate,
  changedTo: optionalDate,
  /** Who did it: a login ID or a whole name. */
  actor: filter(),
  /** Whose or which record: as it is called now, or as it was where it is no more. */
  target: filter(),
  /** An action, the noun of many, or `RIGHTS`. */
  action: choiceFilter([...AUDIT_ACTIONS, ...(AUDIT_NOUNS as readonly string[]), RIGHTS]),
  address: filter(),
}

/** A row of the trail, in the words of the person (rules/audit#words). */
const auditRow = z.object({
  rowNumber: z.number(),
  changedAt: timestamp,
  /** Who did it; empty where nobody was signed in, and of an account that is no more. */
  userId: z.string(),
  name: z.string(),
  /** From where; empty for what the server does by itself. */
  address: z.string(),
  action: z.string(),
  /** As people called it then; of roles and affiliations their names. */
  target: z.string(),
  /** The one record that it is about, where it still exists, and what it is called now. */
  recordKind: z.enum(['', ...RECORD_KINDS]),
  recordId: z.string(),
  changes: z.array(z.object({ item: z.string(), before: z.string(), after: z.string() })),
})

/** The audit trail, newest first. */
export const listAudit = endpoint({
  path: '/adt/v1/get/AuditList',
  summary: 'Search the audit trail',
  title: { ko: '감사 기록 조회', en: 'Searched the audit trail' },
  access: search,
  input: z.strictObject({ ...auditFilters, ...paging(AUDIT_PER_PAGE) }),
  output: z.object({ rows: z.array(auditRow), totalCount }),
  errors: [],
  audit: 'none',
  personal: ['search', 'told'],
  perPerson: 'read',
})

/** The columns of the exported trail, in their order. */
export const AUDIT_EXPORT_COLUMNS = [
  'changedAt',
  'userId',
  'name',
  'address',
  'action',
  'target',
  'changes',
] as const

/** Every row that a search with these filters finds, as a file; phone numbers and e-mails in it are masked as everywhere. */
export const exportAudit = endpoint({
  path: '/adt/v1/exp/AuditList',
  summary: 'Export the audit trail that a search finds as CSV or XLSX',
  title: { ko: '감사 기록 내보내기', en: 'Exported the audit trail' },
  access: search,
  confirmed: 'password',
  input: z.strictObject({ ...auditFilters, ...exportFields, ...unmaskFields }),
  output: z.object({}),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'audit.export',
  personal: ['export', 'told'],
  perPerson: 'export',
  limit: USUAL_LIMIT,
  answer: 'file',
})

/**
 * What became of one record, of all roles, all affiliations or the settings, newest first (rules/audit#history), for those who may
 * administer it: of any other, and of one that does not exist, there is nothing to read.
 */
export const listHistory = endpoint({
  path: '/adt/v1/get/History',
  summary: 'The history of a record',
  title: { ko: '변경 이력 조회', en: 'Looked at a history' },
  access: {
    function: [
      'autho_audit_search',
      'autho_user_manage',
      'autho_partner_search',
      'autho_notice_manage',
      'autho_role_manage',
      'autho_setting_manage',
    ],
  },
  input: z.strictObject({
    recordKind: z.enum(HISTORY_KINDS, 'codeFormat'),
    /** Login ID, partner code or number of a notice; of whatever has one history nothing. */
    recordId: filter(40),
    ...paging(HISTORY_PER_PAGE),
  }),
  output: z.object({ rows: z.array(auditRow), totalCount }),
  errors: ['FORBIDDEN'],
  audit: 'none',
  personal: ['read', 'told'],
  perPerson: 'read',
})
