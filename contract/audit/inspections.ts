import * as z from 'zod/mini'
import { endpoint, USUAL_LIMIT } from '../endpoint.ts'
import { flag, multiline, paging, recordId, recordVersion, timestamp, totalCount } from '../fields.ts'
import { requiredText } from '../text-fields.ts'

/** What an inspection of a month of the access log looks for (rules/audit#inspection-rules), in the order of its report. */
export const INSPECTION_RULES = [
  /** One person's day with records of very many people. */
  'manyRecords',
  /** One person's day with much outside the working hours. */
  'outsideHours',
  /** Somebody at an address that they were not at in the three months before. */
  'newAddress',
  /** One person's day with people's data as files. */
  'exports',
  /** An ID's day with failed logins. */
  'failedLogins',
  /** The same of an address, whatever the IDs. */
  'failedAddresses',
  /** One person's day with refused tries. */
  'refusals',
  /** A day on which one person's data was opened by many. */
  'manyReaders',
] as const

/** See `INSPECTION_RULES`. */
export type InspectionRule = (typeof INSPECTION_RULES)[number]

/** How a month stands: over and not begun, searched, signed, or in a file before anybody inspected it. */
export const INSPECTION_STATES = ['DUE', 'BEGUN', 'SIGNED', 'ARCHIVED'] as const
/** See `INSPECTION_STATES`. */
export type InspectionState = (typeof INSPECTION_STATES)[number]

/** What the reviewer found: it is explained, or something has to be done. */
export const VERDICTS = ['EXPLAINED', 'ACTION'] as const
/** See `VERDICTS`. */
export type Verdict = (typeof VERDICTS)[number]

/** A year of months a page. */
export const INSPECTIONS_PER_PAGE = 12
/** Of a rule the largest are marked; that there are more is said. */
export const FINDINGS_PER_RULE = 100
/** The longest remark, and the longest opinion about the whole month. */
export const REMARK_LENGTH = 500
export const OPINION_LENGTH = 2000

const inspect = { function: ['autho_audit_search'] } as const

/** A month, YYYY-MM. */
const month = z
  .string(requiredText)
  .check(z.minLength(1, 'required'), z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/, 'monthFormat'))

/** The least and the most of a threshold, and of the hours between which people work. */
export const THRESHOLD_RANGE = [1, 1_000_000] as const
export const HOURS_FROM_RANGE = [0, 23] as const
export const HOURS_TO_RANGE = [1, 24] as const

const whole = ([min, max]: readonly [min: number, max: number]) =>
  z
    .number({ error: 'notNumber' })
    .check(
      z.int('notNumber'),
      z.gte(min, `numberRange|${min}~${max}`),
      z.lte(max, `numberRange|${min}~${max}`),
    )

const text = (max: number) => multiline(max).check(z.trim(), z.minLength(1, 'required'))

/** A rule as it is set. */
const setRule = {
  rule: z.enum(INSPECTION_RULES, 'codeFormat'),
  enabled: flag,
  threshold: whole(THRESHOLD_RANGE),
}

const hours = { hoursFrom: whole(HOURS_FROM_RANGE), hoursTo: whole(HOURS_TO_RANGE) }

/** The working hours begin before they end; also as they are typed. */
export const hoursInOrder = z.refine<Record<'hoursFrom' | 'hoursTo', number | string>>(
  ({ hoursFrom, hoursTo }) => Number(hoursFrom) < Number(hoursTo),
  { error: 'hoursOutOfOrder', path: ['hoursTo'] },
)

/** The months that are over, newest first, and how far their inspections are (rules/audit#inspections). */
export const listInspections = endpoint({
  path: '/adt/v1/get/InspectionList',
  summary: 'Monthly inspections of the access log',
  access: inspect,
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
        /** When and by whom it was signed; '' before. */
        signedAt: timestamp,
        signerName: z.string(),
      }),
    ),
    totalCount,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The inspection of a month: what it looked for, what was marked, what was said of it, who signed it. */
export const getInspection = endpoint({
  path: '/adt/v1/get/Inspection',
  summary: 'Inspection of a month',
  title: { ko: '월간 점검 열기', en: 'Opened a monthly inspection' },
  access: inspect,
  input: z.strictObject({ month }),
  output: z.object({
    month: z.string(),
    inspectionState: z.enum(INSPECTION_STATES),
    recordCount: z.number(),
    /** Where the chain of the month ends, in hexadecimal digits. */
    chainEnd: z.string(),
    /** When and by whom it was searched last; '' before it was. */
    searchedAt: timestamp,
    searcherName: z.string(),
    hoursFrom: z.number(),
    hoursTo: z.number(),
    rules: z.array(
      z.object({
        rule: z.enum(INSPECTION_RULES),
        enabled: flag,
        threshold: z.number(),
        /** How many it found; more than are marked where these are too many. */
        findingCount: z.number(),
        /** Whether the month before was there to compare with, for a rule that does. */
        comparable: flag,
      }),
    ),
    findings: z.array(
      z.object({
        findingId: z.string(),
        rule: z.enum(INSPECTION_RULES),
        /** YYYY-MM-DD. */
        foundDay: z.string(),
        /** Who or whose, as they were called when it was searched; '' where it is an address alone. */
        userId: z.string(),
        name: z.string(),
        address: z.string(),
        /** Of what the rule counts. */
        amount: z.number(),
        verdict: z.enum(['', ...VERDICTS]),
        remark: z.string(),
        remarkedAt: timestamp,
        remarkerName: z.string(),
        /** Whether whom it is about has judged it. */
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
  perPerson: 'read',
})

/** Searches a month by the rules as they are set now; what was said of what is found again stays. */
export const searchMonth = endpoint({
  path: '/adt/v1/ins/Inspection',
  summary: 'Search a month for what is unusual',
  title: { ko: '월간 점검 검색', en: 'Searched a month for what is unusual' },
  access: inspect,
  input: z.strictObject({ month }),
  output: z.object({ findingCount: z.number() }),
  errors: ['INSPECTION_NOT_FOUND', 'INSPECTION_SIGNED', 'INSPECTION_ARCHIVED', 'EXPORT_BUSY'],
  audit: 'access.inspect',
  personal: ['search', 'told'],
  perPerson: 'heavy',
  limit: USUAL_LIMIT,
  ownTurns: true,
})

/** Says of findings what the reviewer found out. */
export const remarkFindings = endpoint({
  path: '/adt/v1/upd/Finding',
  summary: 'Remark on findings of an inspection',
  title: { ko: '월간 점검 의견 남기기', en: 'Remarked on findings of an inspection' },
  access: inspect,
  input: z.strictObject({
    month,
    findingIds: z
      .array(recordId, { error: 'notAList' })
      .check(z.minLength(1, 'notAList'), z.maxLength(FINDINGS_PER_RULE, 'notAList')),
    verdict: z.enum(VERDICTS, 'codeFormat'),
    remark: text(REMARK_LENGTH),
  }),
  output: z.object({}),
  errors: ['INSPECTION_NOT_FOUND', 'INSPECTION_SIGNED', 'FINDING_NOT_FOUND'],
  audit: 'access.remark',
  personal: ['change', 'told'],
  perPerson: 'write',
})

/** Ends an inspection: whatever it says is as it was from then on. */
export const signInspection = endpoint({
  path: '/adt/v1/upd/Inspection',
  summary: 'Sign the inspection of a month',
  access: inspect,
  confirmed: 'always',
  input: z.strictObject({
    month,
    /** How many findings were before the eyes of who signs. */
    findingCount: whole([0, 100_000]),
    opinion: text(OPINION_LENGTH),
  }),
  output: z.object({}),
  errors: ['INSPECTION_NOT_FOUND', 'INSPECTION_SIGNED', 'INSPECTION_OPEN', 'RECORD_CHANGED'],
  audit: 'access.sign',
  personal: 'none',
  perPerson: 'write',
})

/** What months are searched for. */
export const getInspectionRules = endpoint({
  path: '/adt/v1/get/InspectionRules',
  summary: 'Rules of the monthly inspection',
  access: inspect,
  input: z.strictObject({}),
  output: z.object({
    rules: z.array(z.object(setRule)),
    hoursFrom: z.number(),
    hoursTo: z.number(),
    version: recordVersion,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Changes what months are searched for; what was searched before stays as it is. */
export const updateInspectionRules = endpoint({
  path: '/adt/v1/upd/InspectionRules',
  summary: 'Change the rules of the monthly inspection',
  access: inspect,
  confirmed: 'always',
  input: z
    .strictObject({
      rules: z.array(z.strictObject(setRule), 'notAList').check(
        z.minLength(1, 'notAList'),
        z.maxLength(INSPECTION_RULES.length, 'notAList'),
        z.refine((all) => new Set(all.map(({ rule }) => rule)).size === all.length, 'listRepeats'),
      ),
      ...hours,
      version: recordVersion,
    })
    .check(hoursInOrder),
  output: z.object({}),
  errors: ['RECORD_CHANGED'],
  audit: 'access.rules',
  personal: 'none',
  perPerson: 'write',
})
