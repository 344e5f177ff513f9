import * as z from 'zod/mini'
import { endpoint, type PersonalAct, USUAL_LIMIT } from '../endpoint.ts'
import {
  choiceFilter,
  codeFilter,
  filter,
  optionalDate,
  paging,
  sorting,
  timestamp,
  totalCount,
} from '../fields.ts'
import { columnFields, exportFields } from '../list-export.ts'
import { requiredText } from '../text-fields.ts'

/** Number of rows on a page of the access log. */
export const ACCESS_PER_PAGE = 20
/** Number of rows on a page of the accesses to the caller's own data. */
export const OWN_ACCESS_PER_PAGE = 5

/** The kinds of access to personal data. */
export const PERSONAL_ACTS = [
  'login',
  'read',
  'search',
  'change',
  'export',
] as const satisfies readonly PersonalAct[]

/** The results of a call that accesses personal data. REFUSED also for one that failed. */
export const ACCESS_OUTCOMES = ['DONE', 'REFUSED'] as const

/** The columns by which the access log can be sorted, in addition to its default order. */
export const ACCESS_SORTS = ['accessedAt'] as const

/** Access policy of the calls that search the access log. */
const search = { function: ['autho_audit_search'] } as const

/** The filters of the access log (rules/audit#access-search); dates are inclusive in Asia/Seoul, and '' is no filter. */
const accessFilters = {
  accessedFrom: optionalDate,
  accessedTo: optionalDate,
  /** The actor: a login ID or a full name. */
  actor: filter(),
  /** The data subject: a login ID or a full name. */
  subject: filter(),
  /** A value of PERSONAL_ACTS, or the name of a call that accesses personal data. */
  action: codeFilter(),
  address: filter(),
  outcome: choiceFilter(ACCESS_OUTCOMES as readonly string[]),
}

/** A user by current ID and name. Without a name the ID belongs to no account. */
const person = z.object({ userId: z.string(), name: z.string() })

/** The fields of a row of the access log, in the language of the caller. */
const accessRow = {
  /** Month and position in it, such as '202611-1234'. */
  accessId: z.string(),
  accessedAt: timestamp,
  /** Login ID of the actor. Without a name it is an ID that a client tried; empty without one. */
  userId: z.string(),
  name: z.string(),
  act: z.string(),
  /** Title of the call. */
  task: z.string(),
  /** Names of the filters of a search. */
  searchedBy: z.string(),
  subjects: z.array(person),
  subjectCount: z.number(),
  address: z.string(),
  /** Text of the refusal; empty if the call succeeded. */
  refusal: z.string(),
  /** Reason why the row is known to be recorded in error; empty for other rows (rules/audit#access-annotations). */
  annotation: z.string(),
}

/** Lists the access log, newest first. */
export const listAccess = endpoint({
  path: '/adt/v1/get/AccessList',
  summary: 'Search the access log',
  title: { ko: '접속기록 조회', en: 'Searched the access log' },
  access: search,
  scope: 'audit:read',
  input: z.strictObject({ ...accessFilters, ...sorting(ACCESS_SORTS), ...paging(ACCESS_PER_PAGE) }),
  output: z.object({ rows: z.array(z.object({ rowNumber: z.number(), ...accessRow })), totalCount }),
  audit: 'none',
  personal: ['search', 'told'],
})

/** The columns of the exported access log, in order. */
export const ACCESS_EXPORT_COLUMNS = [
  'accessId',
  'accessedAt',
  'userId',
  'name',
  'address',
  'act',
  'task',
  'searchedBy',
  'subjects',
  'subjectCount',
  'refusal',
  'annotation',
] as const

/**
 * Exports every row that a search with these filters finds. EXPORT_BUSY while other exports run, EXPORT_TOO_LARGE for
 * more rows than a sheet has.
 */
export const exportAccess = endpoint({
  path: '/adt/v1/exp/AccessList',
  summary: 'Export the access log that a search finds as CSV or XLSX',
  title: { ko: '접속기록 내보내기', en: 'Exported the access log' },
  access: search,
  input: z.strictObject({
    ...accessFilters,
    ...sorting(ACCESS_SORTS),
    ...columnFields(ACCESS_EXPORT_COLUMNS),
    ...exportFields,
  }),
  errors: ['EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'access.export',
  personal: ['export', 'told'],
  limit: USUAL_LIMIT,
  answer: 'file',
})

/**
 * Returns one row of the access log with its data subjects, at most 1,000; `subjectCount` is the number of all.
 * ACCESS_NOT_FOUND, also for a row that was archived.
 */
export const getAccess = endpoint({
  path: '/adt/v1/get/Access',
  summary: 'Read a row of the access log',
  title: { ko: '접속기록 상세 조회', en: 'Viewed an access record' },
  access: search,
  scope: 'audit:read',
  input: z.strictObject({
    accessId: z
      .string(requiredText)
      .check(z.minLength(1, 'required'), z.regex(/^20\d{2}(0[1-9]|1[0-2])-[1-9]\d{0,11}$/, 'recordIdFormat')),
  }),
  output: z.object({ ...accessRow, callId: z.string() }),
  errors: ['ACCESS_NOT_FOUND'],
  audit: 'none',
  personal: ['read', 'told'],
})

/**
 * Lists the other users who have read or changed the caller's data (rules/audit#own-access), newest first. Names and
 * login IDs of these users are shown as under a notice, so only the caller's data is accessed.
 */
export const listOwnAccess = endpoint({
  path: '/adt/v1/get/OwnAccessList',
  summary: 'List who accessed my data',
  title: { ko: '내 정보를 본 사람 조회', en: 'Viewed who accessed their data' },
  access: 'signed-in',
  input: z.strictObject(paging(OWN_ACCESS_PER_PAGE)),
  output: z.object({
    rows: z.array(
      z.object({
        rowNumber: z.number(),
        accessedAt: timestamp,
        /** Login ID. A name can be changed, so it does not identify a user. */
        userId: z.string(),
        name: z.string(),
        affiliationName: z.string(),
        act: z.string(),
        task: z.string(),
        /** As in `accessRow`. */
        annotation: z.string(),
      }),
    ),
    totalCount,
  }),
  audit: 'none',
  personal: ['search', 'own'],
})
