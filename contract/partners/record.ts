import * as z from 'zod/mini'
import { timestamp } from '../fields.ts'

/** Partner types (rules/partners#register-partner). */
export const PARTNER_TYPE = { family: 'fa', partner: 'pa' } as const

/** Maximum length of a partner's name, in characters. */
export const PARTNER_NAME_LENGTH = 60
/** Maximum length of a partner's contact, in characters. */
export const CONTACT_LENGTH = 100
/** Maximum length of a partner's note, in characters. */
export const PARTNER_MEMO_LENGTH = 1000

/** The access policy of calls that search, read and change partners (rules/roles#functions). */
export const managePartners = { function: ['autho_partner_search'] } as const

/** The states of a partner today. An inactive partner is `stopped`, whatever its dates are. */
export const PARTNER_STATES = ['valid', 'upcoming', 'expired', 'stopped'] as const

/** A partner on its detail page. */
export const partnerRecord = z.object({
  partnerCode: z.string(),
  /** Its name and its contact; empty for none. */
  partnerName: z.string(),
  contact: z.string(),
  state: z.enum(PARTNER_STATES),
  /** Empty unless it is inactive. */
  stoppedAt: z.union([z.literal(''), timestamp]),
  partnerType: z.enum(Object.values(PARTNER_TYPE)),
  affiliationCode: z.string(),
  /** In the caller's language. */
  affiliationName: z.string(),
  /** Names, code and degrees at the time when the record was written (rules/partners#stored-region). */
  provinceName: z.string(),
  districtName: z.string(),
  provinceCode: z.string(),
  longitude: z.number(),
  latitude: z.number(),
  /** null for no limit. */
  maxKeysPerDay: z.nullable(z.number()),
  maxKeysPerWeek: z.nullable(z.number()),
  maxKeysPerMonth: z.nullable(z.number()),
  maxKeysTotal: z.nullable(z.number()),
  /** YYYY-MM-DD, or empty for none. */
  validFrom: z.string(),
  /** 'YYYY-MM-DD 23:59:59', or empty for none. */
  validTo: z.string(),
  memo: z.nullable(z.string()),
  /** Version of the record; the client sends it back with an edit (`updatePartner`). */
  version: z.string(),
})
