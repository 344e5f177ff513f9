import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { timestamp } from '../fields.ts'

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

/** Returns the present value of each setting that a requirement covers (rules/audit#policy). */
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
        /** The present values for the page's texts: numbers and times as text. */
        values: z.array(z.string()),
      }),
    ),
  }),
  audit: 'none',
  personal: 'none',
})
