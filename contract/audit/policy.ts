import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { timestamp } from '../fields.ts'

/**
 * What rules ask of a portal, in the order of its page (rules/audit#policy). A name that is added here does not compile until the server
 * says how it stands and both languages what it is.
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
  'rightsReview',
  'accessLog',
  'inspection',
  'trailGuard',
  'portalTls',
  'mailTls',
  'databaseTls',
  'backups',
  'jobs',
  'clock',
  'erasing',
] as const
/** See `REQUIREMENTS`. */
export type Requirement = (typeof REQUIREMENTS)[number]

/** Whether what is set is as the rule asks; `UNKNOWN` where the portal cannot see it, or the rule depends on what it cannot. */
export const STANDINGS = ['MET', 'UNMET', 'UNKNOWN'] as const
/** See `STANDINGS`. */
export type Standing = (typeof STANDINGS)[number]

/** Each setting that a rule asks for, as it is now (rules/audit#policy). */
export const getPolicy = endpoint({
  path: '/adt/v1/get/Policy',
  summary: 'Settings that rules ask for',
  access: { function: ['autho_setting_manage'] },
  input: z.strictObject({}),
  output: z.object({
    portalName: z.string(),
    version: z.string(),
    /** When it was looked at. */
    madeAt: timestamp,
    requirements: z.array(
      z.object({
        requirement: z.enum(REQUIREMENTS),
        standing: z.enum(STANDINGS),
        /** What is set, as the words of the page take it: numbers and times as text. */
        values: z.array(z.string()),
      }),
    ),
  }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
