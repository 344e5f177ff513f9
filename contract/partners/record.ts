import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'

/** Partner types (rules/partners#register-partner). */
export const PARTNER_TYPE = { family: 'fa', partner: 'pa' } as const

/** The longest name of a partner, its contact and its memo, in characters. */
export const PARTNER_NAME_LENGTH = 60
export const CONTACT_LENGTH = 100
export const PARTNER_MEMO_LENGTH = 1000

/** Who searches, reads and changes partners (rules/roles#functions). */
export const managePartners = { function: ['autho_partner_search'] } as const

/** Whether a partner is issued keys today; one that is stopped is told so whatever its dates. */
export const PARTNER_STATES = ['valid', 'upcoming', 'expired', 'stopped'] as const

/** A partner as the detail shows it. */
export const partnerRecord = z.object({
  partnerCode: z.string(),
  /** What people call it, and whom to ask there; empty for none. */
  partnerName: z.string(),
  contact: z.string(),
  state: z.enum(PARTNER_STATES),
  /** Empty unless it is stopped. */
  stoppedAt: z.union([z.literal(''), timestamp]),
  partnerType: z.enum(Object.values(PARTNER_TYPE)),
  affiliationCode: z.string(),
  /** In the person's language. */
  affiliationName: z.string(),
  /** Names, code and degrees as they were when the record was written (rules/partners#region-on-record). */
  provinceName: z.string(),
  districtName: z.string(),
  provinceCode: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  /** null: no limit. */
  maxKeysPerDay: z.nullable(z.number()),
  maxKeysPerWeek: z.nullable(z.number()),
  maxKeysPerMonth: z.nullable(z.number()),
  maxKeysTotal: z.nullable(z.number()),
  /** YYYY-MM-DD, or empty for none. */
  validFrom: z.string(),
  /** 'YYYY-MM-DD 23:59:59', or empty for none. */
  validTo: z.string(),
  memo: z.nullable(z.string()),
  /** Which state of the record this is; comes back with an edit (`updatePartner`). */
  version: z.string(),
})
