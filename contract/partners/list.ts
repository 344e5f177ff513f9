import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { codeFilter, filter, optionalDate, optionalEndDate, paging, sorting, totalCount } from '../fields.ts'
import { managePartners, partnerRecord } from './record.ts'

/** Partner search shows 6 rows a page (spec §9). */
export const PARTNERS_PER_PAGE = 6

/**
 * What a partner search is narrowed by: code and affiliation (spec §2), and the days in which a partner is valid on
 * one at least. Dates are inclusive; a partner without one is valid without end on that side.
 */
export const partnerFilters = {
  BELONGTO_CODE: codeFilter(),
  PARTNER_CODE: filter(30),
  EXPIRY_DATETIME_START: optionalDate,
  EXPIRY_DATETIME_END: optionalEndDate,
}

/** The columns that the partner list sorts by; NO is the place in the order that is shown. */
export const PARTNER_SORTS = [
  'PARTNER_CODE',
  'BELONGTO_CODE_NAME',
  'MAX_KEY_NUM_DAY',
  'MAX_KEY_NUM_WEEK',
  'MAX_KEY_NUM_MONTH',
  'TOTAL_KEY_NUM',
  'EXPIRY_DATETIME_START',
  'EXPIRY_DATETIME_END',
  'PARTNER_TYPE',
  'SIDO_NAME',
  'SIGUNGU_NAME',
] as const

/** Partners, the newest first unless told (spec §2, decisions §2). */
export const listPartners = endpoint({
  path: '/pid/v1/get/PartnerList',
  summary: 'Search partners',
  access: managePartners,
  input: z.strictObject({ ...partnerFilters, ...sorting(PARTNER_SORTS), ...paging(PARTNERS_PER_PAGE) }),
  output: z.object({
    PARTNER_LIST: z.array(
      z.object({ NO: z.number(), ...z.omit(partnerRecord, { MEMO: true, VERSION: true }).shape }),
    ),
    TOTAL_COUNT: totalCount,
  }),
  errors: [],
  audit: 'none',
})
