import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { date, lineOrEmpty, paging, recordVersion, timestamp, totalCount } from '../fields.ts'

/** How long a kind of data is kept: between which bounds, how long until somebody says otherwise, and what becomes of it then. */
interface Retention {
  unit: 'days' | 'months'
  min: number
  max: number
  usual: number
  method: ErasureMethod
}

/** What becomes of data that are over: they go, or name nobody any more. */
export const ERASURE_METHODS = ['DELETED', 'ANONYMIZED'] as const
/** See `ERASURE_METHODS`. */
export type ErasureMethod = (typeof ERASURE_METHODS)[number]

/** What is erased by itself, each kind by a setting (rules/retention#kinds), in the order of its page. */
export const RETENTION = {
  /** Since the withdrawal; until then it can be taken back (`RESTORE_DAYS`). */
  withdrawnAccounts: { unit: 'days', min: 30, max: 1095, usual: 30, method: 'ANONYMIZED' },
  /** Refused requests for an account or another affiliation, and those that were taken back. */
  closedRequests: { unit: 'days', min: 5, max: 1095, usual: 90, method: 'DELETED' },
  /** Mails that were given up; others are gone when they are sent. */
  refusedMails: { unit: 'days', min: 1, max: 90, usual: 30, method: 'DELETED' },
  /** No longer than they are shown. */
  notifications: { unit: 'days', min: 7, max: 90, usual: 90, method: 'DELETED' },
  /** Tokens of programs and services since their end. */
  programTokens: { unit: 'days', min: 90, max: 1095, usual: 365, method: 'DELETED' },
  /** The least stands in the database, too (audit_log_erase). */
  trail: { unit: 'months', min: 36, max: 120, usual: 60, method: 'DELETED' },
} as const satisfies Record<string, Retention>

/** A kind of data with a setting. */
export type RetentionKind = keyof typeof RETENTION
/** See `RETENTION`. */
export const RETENTION_KINDS = Object.keys(RETENTION) as [RetentionKind, ...RetentionKind[]]

/** What goes by rules of its own, or by a variable: the page says so beside the settings (rules/retention#elsewhere). */
export const KEPT_ELSEWHERE = [
  'sessions',
  'codes',
  'sentMails',
  'loginTries',
  'loginNetworks',
  'accessLog',
] as const
/** See `KEPT_ELSEWHERE`. */
export type KeptElsewhere = (typeof KEPT_ELSEWHERE)[number]

const manage = { function: ['autho_setting_manage'] } as const

/** A kind with how long it is kept, within its own bounds. */
const keptKind = z
  .strictObject({
    kind: z.enum(RETENTION_KINDS, 'codeFormat'),
    keptFor: z.number({ error: 'notNumber' }).check(z.int('notNumber')),
  })
  .check(
    ...RETENTION_KINDS.map((kind) => {
      const { min, max } = RETENTION[kind]
      return z.refine<{ kind: RetentionKind; keptFor: number }>(
        (one) => one.kind !== kind || (one.keptFor >= min && one.keptFor <= max),
        { error: `numberRange|${min}~${max}`, path: ['keptFor'] },
      )
    }),
  )

/** How long each kind of data is kept (rules/retention#settings). */
export const getRetention = endpoint({
  path: '/set/v1/get/retention',
  summary: 'How long data are kept',
  access: manage,
  input: z.strictObject({}),
  output: z.object({
    kinds: z.array(z.object({ kind: z.enum(RETENTION_KINDS), keptFor: z.number() })),
    /** Of what has no setting here: days, of the access log months; 0 for what goes at once. */
    elsewhere: z.array(z.object({ kind: z.enum(KEPT_ELSEWHERE), keptFor: z.number() })),
    /** Who answers for the erasing, as certificates name them; '' while nobody is said. */
    officerName: z.string(),
    /** From when on anything is erased. */
    erasingFrom: timestamp,
    version: recordVersion,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Changes how long data are kept: from the next batch on. */
export const updateRetention = endpoint({
  path: '/set/v1/upd/retention',
  summary: 'Change how long data are kept',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    kinds: z.array(keptKind, 'notAList').check(
      z.minLength(1, 'notAList'),
      z.maxLength(RETENTION_KINDS.length, 'notAList'),
      z.refine((all) => new Set(all.map(({ kind }) => kind)).size === all.length, 'listRepeats'),
    ),
    officerName: lineOrEmpty(100),
    version: recordVersion,
  }),
  output: z.object({}),
  errors: ['RECORD_CHANGED'],
  audit: 'setting.retention',
  personal: 'none',
  perPerson: 'write',
})

/** Days of erasing a page. */
export const ERASURES_PER_PAGE = 10

/** The days on which something was erased, newest first (rules/retention#erasures). */
export const listErasures = endpoint({
  path: '/set/v1/get/erasures',
  summary: 'Days on which data were erased',
  access: manage,
  input: z.strictObject(paging(ERASURES_PER_PAGE)),
  output: z.object({
    rows: z.array(
      z.object({
        rowNumber: z.number(),
        /** YYYY-MM-DD. */
        erasedOn: z.string(),
        erasedKinds: z.array(z.enum(RETENTION_KINDS)),
        erasedCount: z.number(),
      }),
    ),
    totalCount,
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** What was erased from one day to another, both included: what the certificate says (rules/retention#certificate). */
export const getErasure = endpoint({
  path: '/set/v1/get/erasure',
  summary: 'What was erased in a period',
  access: manage,
  input: z.strictObject({ erasedFrom: date, erasedTo: date }),
  output: z.object({
    erasedFrom: z.string(),
    erasedTo: z.string(),
    officerName: z.string(),
    /** One for each kind and setting that it went by. */
    rows: z.array(
      z.object({
        kind: z.enum(RETENTION_KINDS),
        erasureMethod: z.enum(ERASURE_METHODS),
        keptFor: z.number(),
        erasedCount: z.number(),
        firstAt: timestamp,
        lastAt: timestamp,
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
