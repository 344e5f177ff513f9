import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { partnerCode } from '../fields.ts'
import { keyFilters, search } from './history.ts'

/** At how much of a limit the administrators are warned, in percent. */
export const USAGE_MARKS = [80, 100] as const

/** The use of one limit; LIMIT -1 = no limit. */
const usage = z.object({ USED: z.number(), LIMIT: z.number() })

/** How much of each limit a partner has used today, this week, this month and in all (Asia/Seoul, decisions §7). */
export const getPartnerUsage = endpoint({
  path: '/kmn/v1/get/PartnerUsage',
  summary: "Use of a partner's limits",
  access: { function: ['autho_partner_search'] },
  input: z.strictObject({ PARTNER_CODE: partnerCode }),
  output: z.object({ DAY: usage, WEEK: usage, MONTH: usage, TOTAL: usage }),
  errors: ['PARTNER_NOT_FOUND'],
  audit: 'none',
})

/** How many keys were issued per day, province and affiliation; the filters are those of the history. */
export const getKeyStatistics = endpoint({
  path: '/kmn/v1/get/KeyStatistics',
  summary: 'Issued keys per day, province and affiliation',
  access: search,
  input: z.strictObject(keyFilters),
  output: z.object({
    TOTAL_COUNT: z.number(),
    /** Days with at least one key, oldest first. */
    DAY_LIST: z.array(z.object({ DATE: z.string(), COUNT: z.number() })),
    /** The most first. */
    SIDO_LIST: z.array(z.object({ SIDO_NAME: z.string(), COUNT: z.number() })),
    BELONGTO_LIST: z.array(
      z.object({ BELONGTO_CODE: z.string(), BELONGTO_CODE_NAME: z.string(), COUNT: z.number() }),
    ),
  }),
  errors: [],
  audit: 'none',
})
