import * as z from 'zod/mini'

/** Partner types (spec §9). */
export const PARTNER_TYPE = { family: 'fa', partner: 'pa' } as const

/** Who searches, reads and changes partners (decisions §5). */
export const managePartners = { function: ['autho_partner_search'] } as const

/** A partner as the detail shows it (spec §3). */
export const partnerRecord = z.object({
  PARTNER_CODE: z.string(),
  PARTNER_TYPE: z.enum(Object.values(PARTNER_TYPE)),
  BELONGTO_CODE: z.string(),
  /** In the person's language. */
  BELONGTO_CODE_NAME: z.string(),
  /** Names, code and degrees as they were when the record was written (decisions §6). */
  SIDO_NAME: z.string(),
  SIGUNGU_NAME: z.string(),
  CTPRVN_CD: z.string(),
  X: z.number(),
  Y: z.number(),
  /** -1 = no limit. */
  MAX_KEY_NUM_DAY: z.number(),
  MAX_KEY_NUM_WEEK: z.number(),
  MAX_KEY_NUM_MONTH: z.number(),
  TOTAL_KEY_NUM: z.number(),
  /** YYYY-MM-DD, or empty for none. */
  EXPIRY_DATETIME_START: z.string(),
  /** 'YYYY-MM-DD 23:59:59', or empty for none. */
  EXPIRY_DATETIME_END: z.string(),
  MEMO: z.nullable(z.string()),
  /** Which state of the record this is; comes back with an edit (`updatePartner`). */
  VERSION: z.string(),
})
