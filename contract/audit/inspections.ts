import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { flag, multiline, paging, recordId, recordVersion, timestamp, totalCount } from '../fields.ts'
import { requiredText } from '../text-fields.ts'

/** The rules of the monthly access-log review (rules/audit#inspection-rules), in the order of its report. */
export const INSPECTION_RULES = [
  /** A user's day with access to the records of very many users. */
  'manyRecords',
  /** A user's day with many accesses outside working hours. */
  'outsideHours',
  /** A user at an IP address that the user had not used in the three months before. */
  'newAddress',
  /** A user's day with exports of personal data. */
  'exports',
  /** A login ID's day with failed logins. */
  'failedLogins',
  /** An IP address's day with failed logins, for any IDs. */
  'failedAddresses',
  /** A user's day with refused attempts. */
  'refusals',
  /** A day on which many users opened the data of one user. */
  'manyReaders',
] as const

/** See `INSPECTION_RULES`. */
export type InspectionRule = (typeof INSPECTION_RULES)[number]

/** The states of a month: ended and not begun, searched, signed, or archived before a review. */
export const INSPECTION_STATES = ['DUE', 'BEGUN', 'SIGNED', 'ARCHIVED'] as const
/** See `INSPECTION_STATES`. */
export type InspectionState = (typeof INSPECTION_STATES)[number]

/** The reviewer's verdicts: explained, or action is needed. */
export const VERDICTS = ['EXPLAINED', 'ACTION'] as const
/** See `VERDICTS`. */
export type Verdict = (typeof VERDICTS)[number]

/** The months of one year per page. */
export const INSPECTIONS_PER_PAGE = 12
/** The most findings of a rule that are listed, the largest first. The page states that more exist. */
export const FINDINGS_PER_RULE = 100
/** The months between inspections that a company can choose; each divides a year. Monthly is the default. */
export const INSPECTION_CYCLES = [1, 2, 3, 6, 12] as const
/** The longest text of the method and of the follow-up, in characters. */
export const PRACTICE_LENGTH = 1000
/** Maximum length of a remark on a finding, in characters. */
export const REMARK_LENGTH = 500
/** Maximum length of an opinion on a month or on a quarter, in characters. */
export const OPINION_LENGTH = 2000

/** Access policy of the calls that read inspections. */
const read = { function: ['autho_audit_search'] } as const
/** Access policy of the calls that manage inspections. */
const manage = { function: ['autho_audit_manage'] } as const

/** A month, YYYY-MM. */
const month = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'monthFormat'))

/** Minimum and maximum of a threshold. */
export const THRESHOLD_RANGE = [1, 1_000_000] as const
/** Minimum and maximum of the hour at which the working hours begin. */
export const HOURS_FROM_RANGE = [0, 23] as const
/** Minimum and maximum of the hour at which the working hours end. */
export const HOURS_TO_RANGE = [1, 24] as const

/** Creates a schema for a whole number within bounds. */
const whole = ([min, max]: readonly [min: number, max: number]) =>
  z
    .number({ error: 'notNumber' })
    .check(
      z.int('notNumber'),
      z.gte(min, `numberRange|${min}~${max}`),
      z.lte(max, `numberRange|${min}~${max}`),
    )

/** Creates a schema for a text of several lines that is not blank. */
const text = (max: number) => multiline(max).check(z.trim(), z.minLength(1, 'required'))

/** A rule with its current settings. */
const setRule = {
  rule: z.enum(INSPECTION_RULES, 'codeFormat'),
  enabled: flag,
  threshold: whole(THRESHOLD_RANGE),
}

/** The practice of inspections (rules/audit#inspection-practice). Fields that a caller omits stay unchanged. */
const practice = {
  cycleMonths: z.optional(
    z
      .number({ error: 'notNumber' })
      .check(z.refine((months) => (INSPECTION_CYCLES as readonly number[]).includes(months), 'codeFormat')),
  ),
  inspectionMethod: z.optional(multiline(PRACTICE_LENGTH).check(z.trim())),
  followUp: z.optional(multiline(PRACTICE_LENGTH).check(z.trim())),
}

/** See `practice`, in responses. */
const shownPractice = { cycleMonths: z.number(), inspectionMethod: z.string(), followUp: z.string() }

/** The fields of the working hours. */
const hours = { hoursFrom: whole(HOURS_FROM_RANGE), hoursTo: whole(HOURS_TO_RANGE) }

/** Checks that the working hours begin before they end, as numbers or as typed text. */
export const hoursInOrder = z.refine<Record<'hoursFrom' | 'hoursTo', number | string>>(
  ({ hoursFrom, hoursTo }) => Number(hoursFrom) < Number(hoursTo),
  { error: 'hoursOutOfOrder', path: ['hoursTo'] },
)

/** Lists the months that have ended, newest first, with the state of their reviews (rules/audit#inspections). */
export const listInspections = endpoint({
  path: '/adt/v1/get/InspectionList',
  summary: 'List the monthly inspections',
  access: read,
  input: z.strictObject(paging(INSPECTIONS_PER_PAGE)),
  output: z.object({
    rows: z.array(
      z.object({
        rowNumber: z.number(),
        month: z.string(),
        inspectionState: z.enum(INSPECTION_STATES),
        recordCount: z.number(),
        findingCount: z.number(),
        remarkedCount: z.number(),
        /** Time and signer of the signature; '' before. */
        signedAt: timestamp,
        signerName: z.string(),
      }),
    ),
    totalCount,
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Returns the inspection of a month: its rules, findings, remarks and signer. Without a search it has the current
 * rules. INSPECTION_NOT_FOUND for a month that has not ended or has no log.
 */
export const getInspection = endpoint({
  path: '/adt/v1/get/Inspection',
  summary: 'Read the inspection of a month',
  title: { ko: '월간 점검 조회', en: 'Viewed a monthly inspection' },
  access: read,
  input: z.strictObject({ month }),
  output: z.object({
    month: z.string(),
    inspectionState: z.enum(INSPECTION_STATES),
    recordCount: z.number(),
    /** The last hash of the month's chain, in hexadecimal digits. */
    chainEnd: z.string(),
    /** Time and user of the last search; '' before it. */
    searchedAt: timestamp,
    searcherName: z.string(),
    hoursFrom: z.number(),
    hoursTo: z.number(),
    ...shownPractice,
    /** The officer to whom the report goes: at the signature, or before it the current one. */
    officerName: z.string(),
    rules: z.array(
      z.object({
        rule: z.enum(INSPECTION_RULES),
        enabled: flag,
        threshold: z.number(),
        /** The number of findings; may be above the number of those listed. */
        findingCount: z.number(),
        /** False for `newAddress` if none of the three months before is in the database. */
        comparable: flag,
      }),
    ),
    findings: z.array(
      z.object({
        findingId: z.string(),
        rule: z.enum(INSPECTION_RULES),
        /** YYYY-MM-DD. */
        foundDay: z.string(),
        /** The user of the finding, by the ID and name at the search; '' for a bare IP address. */
        userId: z.string(),
        name: z.string(),
        address: z.string(),
        /** The number that the rule counts. */
        amount: z.number(),
        verdict: z.enum(['', ...VERDICTS]),
        remark: z.string(),
        remarkedAt: timestamp,
        remarkerName: z.string(),
        /** True if the user of the finding wrote the remark. */
        ownRemark: flag,
      }),
    ),
    opinion: z.string(),
    signedAt: timestamp,
    signerId: z.string(),
    signerName: z.string(),
  }),
  errors: ['INSPECTION_NOT_FOUND'],
  audit: 'none',
  personal: ['read', 'told'],
})

/**
 * Searches a month by the current rules, and stores the findings. Remarks on findings that are found again are kept.
 * INSPECTION_SIGNED after the signature, INSPECTION_ARCHIVED for a month whose log is archived, EXPORT_BUSY while too
 * many run.
 */
export const searchMonth = endpoint({
  path: '/adt/v1/ins/Inspection',
  summary: 'Search a month for unusual activity',
  title: { ko: '월간 점검 항목 찾기', en: 'Searched a month for unusual activity' },
  access: manage,
  input: z.strictObject({ month }),
  output: z.object({ findingCount: z.number() }),
  errors: ['INSPECTION_NOT_FOUND', 'INSPECTION_SIGNED', 'INSPECTION_ARCHIVED', 'EXPORT_BUSY'],
  audit: 'access.inspect',
  personal: ['search', 'told'],
  perPerson: 'heavy',
  limit: USUAL_LIMIT,
  ownTurns: true,
})

/**
 * Stores the reviewer's verdict and remark on findings, in place of earlier ones. FINDING_NOT_FOUND if one of them no
 * longer exists, INSPECTION_SIGNED after the signature.
 */
export const remarkFindings = endpoint({
  path: '/adt/v1/upd/Finding',
  summary: 'Remark on findings of an inspection',
  title: { ko: '월간 점검 의견 남기기', en: 'Remarked on findings of an inspection' },
  access: manage,
  input: z.strictObject({
    month,
    findingIds: z
      .array(recordId, { error: 'notAList' })
      .check(z.minLength(1, 'notAList'), z.maxLength(FINDINGS_PER_RULE, 'notAList')),
    verdict: z.enum(VERDICTS, 'codeFormat'),
    remark: text(REMARK_LENGTH),
  }),
  errors: ['INSPECTION_NOT_FOUND', 'INSPECTION_SIGNED', 'FINDING_NOT_FOUND'],
  audit: 'access.remark',
  personal: ['change', 'told'],
})

/**
 * Signs and closes a review; its contents cannot change afterwards. INSPECTION_OPEN if a finding has no verdict,
 * INSPECTION_OWN if a finding is about an action of the signer. RECORD_CHANGED if the number of findings is not
 * `findingCount`.
 */
export const signInspection = endpoint({
  path: '/adt/v1/upd/Inspection',
  summary: 'Sign the inspection of a month',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    month,
    /** The number of findings that the signer saw. */
    findingCount: whole([0, 100_000]),
    opinion: text(OPINION_LENGTH),
  }),
  errors: [
    'INSPECTION_NOT_FOUND',
    'INSPECTION_SIGNED',
    'INSPECTION_OPEN',
    'INSPECTION_OWN',
    'RECORD_CHANGED',
  ],
  audit: 'access.sign',
  personal: 'none',
})

/** Returns the rules by which months are searched. */
export const getInspectionRules = endpoint({
  path: '/adt/v1/get/InspectionRules',
  summary: 'Rules of the monthly inspection',
  access: read,
  output: z.object({
    rules: z.array(z.object(setRule)),
    hoursFrom: z.number(),
    hoursTo: z.number(),
    ...shownPractice,
    version: recordVersion,
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Changes the rules by which months are searched; earlier searches stay unchanged. RECORD_CHANGED if another user has
 * saved since `version`.
 */
export const updateInspectionRules = endpoint({
  path: '/adt/v1/upd/InspectionRules',
  summary: 'Change the rules of the monthly inspection',
  access: manage,
  confirmed: 'always',
  input: z
    .strictObject({
      rules: z.array(z.strictObject(setRule), 'notAList').check(
        z.minLength(1, 'notAList'),
        z.maxLength(INSPECTION_RULES.length, 'notAList'),
        z.refine((all) => new Set(all.map(({ rule }) => rule)).size === all.length, 'listRepeats'),
      ),
      ...hours,
      ...practice,
      version: recordVersion,
    })
    .check(hoursInOrder),
  errors: ['RECORD_CHANGED'],
  audit: 'access.rules',
  auditsChangeOnly: true,
  personal: 'none',
})
