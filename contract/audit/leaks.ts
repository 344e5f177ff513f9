import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import {
  line,
  lineOrEmpty,
  moment,
  multiline,
  paging,
  recordId,
  recordVersion,
  timestamp,
  totalCount,
  wholeNumber,
} from '../fields.ts'
import { exportFields, unmaskFields } from '../list-export.ts'
import { LOCKED } from '../refusal-lists.ts'

/** The origins by which a leak is searched: an account, an IP address, a token, or an export in the access log. */
export const LEAK_ORIGINS = ['ACCOUNT', 'ADDRESS', 'TOKEN', 'EXPORT'] as const
/** See `LEAK_ORIGINS`. */
export type LeakOrigin = (typeof LEAK_ORIGINS)[number]

/**
 * The kinds of records of an incident: the time of knowledge and its corrections, notices and reports, the decisions against them,
 * and closing.
 */
export const INCIDENT_RECORDS = ['KNOWN', 'NOTICE', 'NO_NOTICE', 'REPORT', 'NO_REPORT', 'CLOSED'] as const
/** See `INCIDENT_RECORDS`. */
export type IncidentRecord = (typeof INCIDENT_RECORDS)[number]

/** The states of an incident: open, notified, reported, or closed. */
export const INCIDENT_STATES = ['OPEN', 'NOTIFIED', 'REPORTED', 'CLOSED'] as const

/** The certainty of a leak. The notice and its legal ground depend on it. */
export const LEAK_CERTAINTIES = ['POSSIBLE', 'CONFIRMED'] as const

/** The states of a data subject's account; `ERASED` also if the account no longer exists. */
export const PERSON_STATES = ['PRESENT', 'WITHDRAWN', 'ERASED'] as const

/** Hours from the time of knowledge within which data subjects and the authority are informed (law/leakNoticeHours). */
export const INCIDENT_HOURS = 72
/** Rows on a page of incidents, and of the data subjects of an incident. */
export const INCIDENTS_PER_PAGE = 20
/** Maximum length of an incident's title, in characters. */
export const INCIDENT_TITLE_LENGTH = 100
/** Maximum length of each longer text of an incident, in characters. */
export const INCIDENT_TEXT_LENGTH = 10_000
/** Maximum length of a record's method, in characters. */
export const INCIDENT_METHOD_LENGTH = 100
/** Maximum length of a record's receipt number, in characters. */
export const RECEIPT_NUMBER_LENGTH = 50
/** Maximum length of a record's remark, in characters. */
export const INCIDENT_REMARK_LENGTH = 1000
/** The most days of a search. */
export const LEAK_DAYS = 366

/** Milliseconds of a day. */
const DAY_MS = 86_400_000
/** Access policy of the calls that read incidents. */
const read = { function: ['autho_audit_search'] } as const
/** Access policy of the calls that change incidents. */
const manage = { function: ['autho_audit_manage'] } as const

/** Title of an incident. */
const title = line(INCIDENT_TITLE_LENGTH)
/** A longer text of an incident, which may be empty. */
const text = multiline(INCIDENT_TEXT_LENGTH)

/** Certainty of a leak. */
const leakCertainty = z.enum(LEAK_CERTAINTIES, 'codeFormat')

/** Lists the incidents, newest first, with their states and deadlines. */
export const listIncidents = endpoint({
  path: '/adt/v1/get/IncidentList',
  summary: 'List the leak incidents',
  access: read,
  input: z.strictObject(paging(INCIDENTS_PER_PAGE)),
  output: z.object({
    rows: z.array(
      z.object({
        rowNumber: z.number(),
        incidentId: z.string(),
        title: z.string(),
        knownAt: timestamp,
        /** End of the 72 hours. */
        dueAt: timestamp,
        incidentState: z.enum(INCIDENT_STATES),
        createdAt: timestamp,
        creatorName: z.string(),
      }),
    ),
    totalCount,
  }),
  audit: 'none',
  personal: 'none',
})

/** Returns an incident with its texts, records and searches, and a summary of the data subjects that these found. */
export const getIncident = endpoint({
  path: '/adt/v1/get/Incident',
  summary: 'Read a leak incident',
  title: { ko: '유출 사고 조회', en: 'Viewed a leak incident' },
  access: read,
  input: z.strictObject({ incidentId: recordId }),
  output: z.object({
    incidentId: z.string(),
    title: z.string(),
    knownAt: timestamp,
    dueAt: timestamp,
    /** Time of this response, from which the page counts the remaining time. */
    readAt: timestamp,
    incidentState: z.enum(INCIDENT_STATES),
    leakCertainty: z.enum(LEAK_CERTAINTIES),
    notes: z.string(),
    /** Text of the notice to the data subjects; '' before it is saved. */
    noticeDraft: z.string(),
    reportDraft: z.string(),
    createdAt: timestamp,
    creatorName: z.string(),
    /** Records in their order. */
    incidentRecords: z.array(
      z.object({
        incidentRecord: z.enum(INCIDENT_RECORDS),
        happenedAt: timestamp,
        recordedAt: timestamp,
        recorderName: z.string(),
        deliveryMethod: z.string(),
        /** Number of people who were notified; 0 for other kinds. */
        notifiedCount: z.number(),
        receiptNumber: z.string(),
        remark: z.string(),
        /** Draft of the notice or report at that time; '' for other kinds. */
        recordedText: z.string(),
      }),
    ),
    searches: z.array(
      z.object({
        leakSearchId: z.string(),
        leakOrigin: z.enum(LEAK_ORIGINS),
        /** Address, name of the token, or ID of the row of the export; for an account its current login ID. */
        originValue: z.string(),
        /** Name of the account; '' for other origins. */
        name: z.string(),
        searchedFrom: timestamp,
        searchedTo: timestamp,
        searchedAt: timestamp,
        searcherName: z.string(),
        personCount: z.number(),
        recordCount: z.number(),
      }),
    ),
    /** Number of data subjects of all searches, each counted once. */
    personCount: z.number(),
    withdrawnCount: z.number(),
    erasedCount: z.number(),
    /** First and last access, and the titles of the calls. */
    firstTouchedAt: timestamp,
    lastTouchedAt: timestamp,
    tasks: z.array(z.string()),
    /** Officer and company, for the drafts. */
    officerName: z.string(),
    officerContact: z.string(),
    portalName: z.string(),
    version: recordVersion,
  }),
  errors: ['INCIDENT_NOT_FOUND'],
  audit: 'none',
  personal: ['read', 'told'],
})

/** Creates an incident. INCIDENT_TIME if the time of knowledge is in the future. */
export const createIncident = endpoint({
  path: '/adt/v1/ins/Incident',
  summary: 'Record a leak incident',
  access: manage,
  input: z.strictObject({ title, leakCertainty: z._default(leakCertainty, 'POSSIBLE'), knownAt: moment }),
  output: z.object({ incidentId: z.string() }),
  errors: ['INCIDENT_TIME'],
  audit: 'leak.create',
  personal: 'none',
})

/**
 * Saves the texts of an open incident. Fields that a caller omits stay unchanged. INCIDENT_CLOSED for a closed one,
 * RECORD_CHANGED if another user has saved since `version`.
 */
export const updateIncident = endpoint({
  path: '/adt/v1/upd/Incident',
  summary: 'Change a leak incident',
  access: manage,
  input: z.strictObject({
    incidentId: recordId,
    title: z.optional(title),
    leakCertainty: z.optional(leakCertainty),
    notes: z.optional(text),
    noticeDraft: z.optional(text),
    reportDraft: z.optional(text),
    version: recordVersion,
  }),
  errors: ['INCIDENT_NOT_FOUND', 'INCIDENT_CLOSED', 'RECORD_CHANGED'],
  audit: 'leak.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/** The highest number of people in a record of a notice. */
const NOTIFIED_MOST = 99_999_999

/** The fields of a record of an incident. */
export const incidentRecordFields = {
  incidentRecord: z.enum(INCIDENT_RECORDS, 'codeFormat'),
  happenedAt: moment,
  /** Means of the notice, or authority and means of the report. */
  deliveryMethod: z._default(lineOrEmpty(INCIDENT_METHOD_LENGTH), ''),
  notifiedCount: wholeNumber(0, NOTIFIED_MOST, 0),
  receiptNumber: z._default(lineOrEmpty(RECEIPT_NUMBER_LENGTH), ''),
  remark: z._default(multiline(INCIDENT_REMARK_LENGTH), ''),
}

/** The fields of a record that its checks read. */
interface RecordValues {
  incidentRecord: IncidentRecord
  deliveryMethod: string
  notifiedCount: number
  remark: string
}
/** The kinds of records that need a reason. */
export const REASONED_RECORDS: readonly IncidentRecord[] = ['KNOWN', 'NO_NOTICE', 'NO_REPORT']
/** Returns whether a record is a notice or a report, which have a means. */
const isNoticeOrReport = ({ incidentRecord }: Pick<RecordValues, 'incidentRecord'>) =>
  incidentRecord === 'NOTICE' || incidentRecord === 'REPORT'
/** Checks of a record: a notice names its means and people, a report its authority, and a decision its reason. */
export const incidentRecordChecks = [
  z.refine<RecordValues>((one) => !isNoticeOrReport(one) || one.deliveryMethod !== '', {
    error: 'required',
    path: ['deliveryMethod'],
  }),
  z.refine<RecordValues>((one) => one.incidentRecord !== 'NOTICE' || one.notifiedCount > 0, {
    error: `numberRange|1~${NOTIFIED_MOST}`,
    path: ['notifiedCount'],
  }),
  z.refine<RecordValues>((one) => !REASONED_RECORDS.includes(one.incidentRecord) || one.remark !== '', {
    error: 'required',
    path: ['remark'],
  }),
]

/**
 * Adds a record to an incident: a notice, a report, a decision against them, a corrected time of knowledge, or that the
 * incident is closed (rules/audit#leak-records). INCIDENT_TIME if the time is in the future. INCIDENT_UNDECIDED to
 * close an incident without a notice and a report, or the decisions against them.
 */
export const recordIncident = endpoint({
  path: '/adt/v1/ins/IncidentRecord',
  summary: 'Record a step of a leak incident',
  access: manage,
  confirmed: 'always',
  input: z
    .strictObject({ incidentId: recordId, ...incidentRecordFields, version: recordVersion })
    .check(...incidentRecordChecks),
  errors: ['INCIDENT_NOT_FOUND', 'INCIDENT_CLOSED', 'INCIDENT_TIME', 'INCIDENT_UNDECIDED', 'RECORD_CHANGED'],
  audit: 'leak.record',
  personal: 'none',
})

/** The period of a search by an origin. */
interface Period {
  leakOrigin: LeakOrigin
  searchedFrom: string
  searchedTo: string
}
/** Returns the day of a time in milliseconds since 1970. */
const dayOf = (time: string) => Date.parse(time.slice(0, 10))
/** Checks of the period of a search: in order, and not longer than `LEAK_DAYS`. An export has its own period. */
const periodChecks = [
  z.refine<Period>((asked) => asked.leakOrigin === 'EXPORT' || asked.searchedFrom < asked.searchedTo, {
    error: 'datesOutOfOrder',
    path: ['searchedTo'],
  }),
  z.refine<Period>(
    (asked) =>
      asked.leakOrigin === 'EXPORT' ||
      dayOf(asked.searchedTo) - dayOf(asked.searchedFrom) <= LEAK_DAYS * DAY_MS,
    { error: `periodTooLong|${LEAK_DAYS}`, path: ['searchedTo'] },
  ),
]

/** Fields of a search. */
const searchFields = {
  leakOrigin: z.enum(LEAK_ORIGINS, 'codeFormat'),
  /** Login ID, IP address, name of a token, or ID of a row of the access log. */
  originValue: line(100),
  searchedFrom: moment,
  searchedTo: moment,
}

/** The fields of a search as its form has them. */
export const leakSearchForm = z.strictObject(searchFields).check(...periodChecks)

/**
 * Searches the access log for the data subjects whose data an account, an address, a token or an export accessed, and
 * adds the result to an incident. LEAK_ORIGIN_NOT_FOUND if no account, token or export has this ID or name.
 * LEAK_SEARCH_SLOW if it takes more than a minute.
 */
export const searchLeak = endpoint({
  path: '/adt/v1/ins/LeakSearch',
  summary: 'Find the people of a leak',
  title: { ko: '유출된 사람 검색', en: 'Searched for the people of a leak' },
  access: manage,
  input: z.strictObject({ incidentId: recordId, ...searchFields }).check(...periodChecks),
  output: z.object({ leakSearchId: z.string(), personCount: z.number(), recordCount: z.number() }),
  errors: [
    'INCIDENT_NOT_FOUND',
    'INCIDENT_CLOSED',
    'LEAK_ORIGIN_NOT_FOUND',
    'LEAK_SEARCH_SLOW',
    'EXPORT_BUSY',
  ],
  audit: 'leak.search',
  personal: ['search', 'told'],
  perPerson: 'heavy',
  limit: USUAL_LIMIT,
  ownTurns: true,
})

/** The filters of the people of an incident; without a search those of all. */
const peopleFilters = {
  incidentId: recordId,
  leakSearchId: z._default(z.union([z.literal(''), recordId], { error: 'recordIdFormat' }), ''),
}

/** A data subject and what was accessed. */
const leakPerson = {
  userId: z.string(),
  name: z.string(),
  personState: z.enum(PERSON_STATES),
  /** Titles of the calls. */
  tasks: z.array(z.string()),
  touchCount: z.number(),
  firstTouchedAt: timestamp,
  lastTouchedAt: timestamp,
}

/** Lists the data subjects of an incident, the most accessed first; empty for an incident that does not exist. */
export const listLeakPeople = endpoint({
  path: '/adt/v1/get/LeakPeople',
  summary: 'List the people of a leak incident',
  title: { ko: '유출된 사람 목록 조회', en: 'Listed the people of a leak' },
  access: read,
  input: z.strictObject({ ...peopleFilters, ...paging(INCIDENTS_PER_PAGE) }),
  output: z.object({ rows: z.array(z.object({ rowNumber: z.number(), ...leakPerson })), totalCount }),
  audit: 'none',
  personal: ['search', 'told'],
})

/** The columns of the exported people, in order. */
export const LEAK_EXPORT_COLUMNS = [
  'userId',
  'name',
  'personState',
  'email',
  'phoneNumber',
  'tasks',
  'touchCount',
  'firstTouchedAt',
  'lastTouchedAt',
] as const

/**
 * Exports the data subjects of an incident, or of one of its searches, with their contact data, masked unless the
 * password is entered (PASSWORD_WRONG for a wrong one). EXPORT_BUSY while other exports run.
 */
export const exportLeakPeople = endpoint({
  path: '/adt/v1/exp/LeakPeople',
  summary: 'Export the people of a leak incident as CSV or XLSX',
  title: { ko: '유출된 사람 목록 내보내기', en: 'Exported the people of a leak' },
  access: read,
  confirmed: 'password',
  input: z.strictObject({ ...peopleFilters, ...exportFields, ...unmaskFields }),
  errors: ['PASSWORD_WRONG', ...LOCKED, 'EXPORT_BUSY', 'EXPORT_TOO_LARGE'],
  audit: 'leak.export',
  personal: ['export', 'told'],
  limit: USUAL_LIMIT,
  answer: 'file',
})
