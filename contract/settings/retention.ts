import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { date, lineOrEmpty, paging, recordVersion, timestamp, totalCount } from '../fields.ts'

/** The retention period of a kind of data: its unit, bounds and default, and the method of erasure. */
interface Retention {
  unit: 'days' | 'months'
  min: number
  max: number
  usual: number
  method: ErasureMethod
}

/** The methods of erasure: expired data are deleted or anonymized. */
export const ERASURE_METHODS = ['DELETED', 'ANONYMIZED'] as const
/** See `ERASURE_METHODS`. */
export type ErasureMethod = (typeof ERASURE_METHODS)[number]

/**
 * The kinds of data that are erased automatically, each after the period of its setting (rules/retention#kinds), in the order of
 * the page.
 */
export const RETENTION = {
  /** Counted from the withdrawal, which can be undone for `RESTORE_DAYS`, the minimum. */
  withdrawnAccounts: { unit: 'days', min: 30, max: 1095, usual: 30, method: 'ANONYMIZED' },
  /** Rejected and canceled requests for an account or another affiliation. */
  closedRequests: { unit: 'days', min: 5, max: 1095, usual: 90, method: 'DELETED' },
  /** Emails that could not be sent; others are deleted when they are sent. */
  refusedMails: { unit: 'days', min: 1, max: 90, usual: 30, method: 'DELETED' },
  /** The maximum is the period for which they are shown. */
  notifications: { unit: 'days', min: 7, max: 90, usual: 90, method: 'DELETED' },
  /** Tokens of programs and services, counted from their end. */
  programTokens: { unit: 'days', min: 90, max: 1095, usual: 365, method: 'DELETED' },
  /** The database has the same minimum (audit_log_erase). */
  trail: { unit: 'months', min: 36, max: 120, usual: 60, method: 'DELETED' },
  /** Months of the access log, from their end; not before they are in files. The database has the same minimum (access_log_erase). */
  accessLogFiles: { unit: 'months', min: 24, max: 120, usual: 60, method: 'DELETED' },
  /** Inspections, reviews and closed leak incidents. The database has the same minimum (privacy_records_erase). */
  privacyRecords: { unit: 'months', min: 36, max: 120, usual: 60, method: 'DELETED' },
} as const satisfies Record<string, Retention>

/** A kind of data with its own setting. */
export type RetentionKind = keyof typeof RETENTION
/** See `RETENTION`. */
export const RETENTION_KINDS = Object.keys(RETENTION) as [RetentionKind, ...RetentionKind[]]

/**
 * The kinds of data that other rules or an environment variable erase; the page lists them next to the settings
 * (rules/retention#elsewhere).
 */
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

/** Access policy of the calls about retention. */
const manage = { function: ['autho_setting_manage'] } as const

/** A kind with its retention period, within the bounds of the kind. */
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

/**
 * Returns the retention periods of all kinds of data, the officer, and the time from which data is erased
 * (rules/retention#settings).
 */
export const getRetention = endpoint({
  path: '/set/v1/get/retention',
  summary: 'Read the retention periods',
  access: manage,
  output: z.object({
    kinds: z.array(z.object({ kind: z.enum(RETENTION_KINDS), keptFor: z.number() })),
    /** The periods of kinds without a setting here: in days, for the access log in months; 0 if they are deleted immediately. */
    elsewhere: z.array(z.object({ kind: z.enum(KEPT_ELSEWHERE), keptFor: z.number() })),
    /** Name of the officer responsible for erasure, as certificates show it; '' until it is set. */
    officerName: z.string(),
    /** Department, phone number and email of the officer, for notices of a leak. */
    officerContact: z.string(),
    /** Time from which data are erased. */
    erasingFrom: timestamp,
    version: recordVersion,
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Changes the retention periods of the given kinds and the officer, from the next batch of erasures on. RECORD_CHANGED
 * if another user has saved since the caller read them.
 */
export const updateRetention = endpoint({
  path: '/set/v1/upd/retention',
  summary: 'Change the retention periods',
  access: manage,
  confirmed: 'always',
  input: z.strictObject({
    kinds: z.array(keptKind, 'notAList').check(
      z.minLength(1, 'notAList'),
      z.maxLength(RETENTION_KINDS.length, 'notAList'),
      z.refine((all) => new Set(all.map(({ kind }) => kind)).size === all.length, 'listRepeats'),
    ),
    officerName: lineOrEmpty(100),
    officerContact: z.optional(lineOrEmpty(200)),
    version: recordVersion,
  }),
  errors: ['RECORD_CHANGED'],
  audit: 'setting.retention',
  auditsChangeOnly: true,
  personal: 'none',
})

/** The list of days with erasures shows 10 rows a page. */
export const ERASURES_PER_PAGE = 10

/** Lists the days on which data were erased, newest first (rules/retention#erasures). */
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
  audit: 'none',
  personal: 'none',
})

/**
 * Returns the kinds and numbers of data that were erased between two days, both included, for the certificate
 * (rules/retention#certificate).
 */
export const getErasure = endpoint({
  path: '/set/v1/get/erasure',
  summary: 'Read the erasures of a period',
  access: manage,
  input: z.strictObject({ erasedFrom: date, erasedTo: date }),
  output: z.object({
    erasedFrom: z.string(),
    erasedTo: z.string(),
    officerName: z.string(),
    /** One row for each kind and each retention period that applied. */
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
  audit: 'none',
  personal: 'none',
})
