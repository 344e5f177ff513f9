import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  codeFilter,
  filter,
  flag,
  optionalDate,
  optionalEndDate,
  paging,
  sorting,
  totalCount,
} from '../fields.ts'
import { managePartners, partnerRecord } from './record.ts'

/** Number of rows on a page of the partner search (rules/partners#partner-search). */
export const PARTNERS_PER_PAGE = 6

/**
 * The filters of a partner search: code, affiliation, and a period. A partner matches if it is valid on at least one day of the
 * period. Dates are inclusive; without one a partner is valid without end on that side.
 */
export const partnerFilters = {
  affiliationCode: codeFilter(),
  partnerCode: filter(30),
  validFrom: optionalDate,
  validTo: optionalEndDate,
  /** True to list only partners that can get keys and have used `NEAR_LIMIT` percent of a limit. */
  nearLimit: z._default(flag, false),
}

/** The columns by which the partner list can be sorted. */
export const PARTNER_SORTS = [
  'partnerCode',
  'affiliationName',
  'maxKeysPerDay',
  'maxKeysPerWeek',
  'maxKeysPerMonth',
  'maxKeysTotal',
  'validFrom',
  'validTo',
  'partnerType',
  'provinceName',
  'districtName',
  'partnerName',
] as const

/** Lists partners, newest first by default (rules/partners#partner-search). */
export const listPartners = endpoint({
  path: '/pid/v1/get/PartnerList',
  summary: 'Search partners',
  title: { ko: '파트너 코드 목록 조회', en: 'Searched partner codes' },
  access: managePartners,
  scope: 'partners:read',
  input: z.strictObject({ ...partnerFilters, ...sorting(PARTNER_SORTS), ...paging(PARTNERS_PER_PAGE) }),
  output: z.object({
    partners: z.array(
      z.object({
        rowNumber: z.number(),
        ...z.omit(partnerRecord, { contact: true, memo: true, version: true }).shape,
      }),
    ),
    totalCount,
  }),
  audit: 'none',
  personal: 'none',
})
