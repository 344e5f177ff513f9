import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { line, multiline, recordVersion, timestamp } from '../fields.ts'

/**
 * The requirements for a portal, in the order of its page (rules/audit#policy). A new name does not compile until the server
 * reports its status and both languages have its texts.
 */
export const REQUIREMENTS = [
  'passwordLook',
  'passwordHash',
  'loginLock',
  'secondFactor',
  'factorRequired',
  'sessionIdle',
  'sessionEnd',
  'sessionLimit',
  'sessionBinding',
  'confirmation',
  'adminNetworks',
  'disuse',
  'rightsAtOnce',
  'rightsRecords',
  'rightsGrants',
  'rightsReview',
  'accessLog',
  'accessLogEnd',
  'inspection',
  'trailGuard',
  'portalTls',
  'mailTls',
  'databaseTls',
  'backups',
  'jobs',
  'clock',
  'erasing',
  'erasureRequest',
] as const
/** See `REQUIREMENTS`. */
export type Requirement = (typeof REQUIREMENTS)[number]

/** The status of a requirement. `UNKNOWN` if the portal cannot read the setting, or a value on which it depends. */
export const STANDINGS = ['MET', 'UNMET', 'UNKNOWN'] as const
/** See `STANDINGS`. */
export type RequirementStatus = (typeof STANDINGS)[number]

/** The longest basis and remark of the company on an entry of the register, in characters. */
export const LAW_NOTE_LENGTH = 1000

/**
 * Returns for each requirement whether it is met and the current values of the settings that it covers, and the
 * company's notes on the legal bases (rules/audit#policy).
 */
export const getPolicy = endpoint({
  path: '/adt/v1/get/Policy',
  summary: 'Read the settings that regulations require',
  access: { function: ['autho_setting_manage'] },
  output: z.object({
    portalName: z.string(),
    version: z.string(),
    /** Time of the check. */
    madeAt: timestamp,
    requirements: z.array(
      z.object({
        requirement: z.enum(REQUIREMENTS),
        standing: z.enum(STANDINGS),
        /** The current values for the page's texts: numbers and times as text. */
        values: z.array(z.string()),
      }),
    ),
    /** Every entry of the register of laws, with the company's own basis and remark; '' for none (rules/audit#law-notes). */
    lawNotes: z.array(
      z.object({
        law: z.string(),
        companyBasis: z.string(),
        companyRemark: z.string(),
        version: recordVersion,
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})

/**
 * Saves the company's basis and remark on an entry of the register of laws. LAW_NOT_FOUND for a name that is no entry.
 * RECORD_CHANGED if another user has saved since the caller read it.
 */
export const updateLawNote = endpoint({
  path: '/adt/v1/upd/Law',
  summary: 'Change the basis and remark of the company on a law',
  access: { function: ['autho_setting_manage'] },
  input: z.strictObject({
    // The register is not imported here, because every page with a history loads this file.
    law: line(40),
    companyBasis: multiline(LAW_NOTE_LENGTH).check(z.trim()),
    companyRemark: multiline(LAW_NOTE_LENGTH).check(z.trim()),
    version: recordVersion,
  }),
  errors: ['LAW_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'setting.law',
  auditsChangeOnly: true,
  personal: 'none',
})
