import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { partnerCode } from '../fields.ts'
import { NEAR_LIMIT } from '../partners/limits.ts'
import { keyFilters, search } from './history.ts'

/** The percentages of a limit at which administrators are warned. */
export const USAGE_MARKS = [NEAR_LIMIT, 100] as const

/** The use of one limit; the limit is null if there is none. */
const usage = z.object({ used: z.number(), limit: z.nullable(z.number()) })

/**
 * Returns how much of each limit a partner has used today, this week, this month and in total (Asia/Seoul,
 * rules/keys#partner-usage).
 */
export const getPartnerUsage = endpoint({
  path: '/kmn/v1/get/PartnerUsage',
  summary: "Read the use of a partner's limits",
  title: { ko: '파트너 코드 사용량 조회', en: 'Read the use of a partner' },
  access: { function: ['autho_partner_search'] },
  scope: 'keys:read',
  input: z.strictObject({ partnerCode }),
  output: z.object({ day: usage, week: usage, month: usage, total: usage }),
  errors: ['PARTNER_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
})

/** Returns the numbers of issued keys per day, province and affiliation; the filters are those of the history. */
export const getKeyStatistics = endpoint({
  path: '/kmn/v1/get/KeyStatistics',
  summary: 'Issued keys per day, province and affiliation',
  title: { ko: '키 발급 통계 조회', en: 'Viewed the key statistics' },
  access: search,
  scope: 'keys:read',
  input: z.strictObject(keyFilters),
  output: z.object({
    totalCount: z.number(),
    /** Days with at least one key, oldest first. */
    days: z.array(z.object({ date: z.string(), count: z.number() })),
    /** Highest count first. */
    provinces: z.array(z.object({ provinceName: z.string(), count: z.number() })),
    affiliations: z.array(
      z.object({ affiliationCode: z.string(), affiliationName: z.string(), count: z.number() }),
    ),
  }),
  audit: 'none',
  personal: ['search', 'told'],
})
