import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { codeFilter, filter, line, optionalDate, paging, sorting, timestamp, totalCount } from '../fields.ts'

/** Key history shows 4 rows a page (spec §9). */
export const KEYS_PER_PAGE = 4

/** The columns that the history sorts by: the one that 10,000,000 keys are kept in the order of. */
export const KEY_SORTS = ['ISSUANCE_DATE'] as const

/** What stands for every issued key alike: no answer holds one (spec §9: fixed asterisks). */
export const ISSUED_KEY_MASK = '********'

export const search = { function: ['autho_key_search'] } as const

/** A row of the key history; the issued key itself is never part of it (spec §3). */
const keyRow = z.object({
  NO: z.number(),
  KEY_ID: z.string(),
  SIDO_NAME: z.string(),
  SIGUNGU_NAME: z.string(),
  BELONGTO_CODE_NAME: z.string(),
  USER_ID: z.string(),
  NAME: z.string(),
  PHONE_NUMBER: z.string(),
  REQUEST_KEY: z.string(),
  ISSUANCE_DATE: timestamp,
  /** Empty unless the key was revoked. */
  REVOKED_DATE: z.union([timestamp, z.literal('')]),
  REVOKE_REASON: z.string(),
})

/** What the history and its charts are narrowed by. */
export const keyFilters = {
  BELONGTO_CODE: codeFilter(),
  USER_NAME: filter(),
  PHONE_NUMBER: filter(),
  ISSUANCE_DATETIME_START: optionalDate,
  ISSUANCE_DATETIME_END: optionalDate,
  SIDO_NAME: codeFilter(),
  SIGUNGU_NAME: codeFilter(),
}

/** Dates are inclusive in Asia/Seoul; ALL or empty = no filter. */
export const listKeys = endpoint({
  path: '/kmn/v1/get/KeyList',
  summary: 'Search the history of issued keys',
  access: search,
  input: z.strictObject({
    ...keyFilters,
    ...sorting(KEY_SORTS),
    ...paging(KEYS_PER_PAGE),
  }),
  output: z.object({ KEY_LIST: z.array(keyRow), TOTAL_COUNT: totalCount }),
  errors: [],
  audit: 'none',
})

/** A province (spec §3). */
export const province = z.object({ SIDO_NAME: z.string(), CTPRVN_CD: z.string() })
/** A district with its WGS84 degrees: X = longitude, Y = latitude (decisions §6). */
export const district = z.object({ SIGUNGU_NAME: z.string(), X: z.number(), Y: z.number() })

/** The provinces to filter the key history by. */
export const listKeyProvinces = endpoint({
  path: '/kmn/v1/get/SidoList',
  summary: 'Provinces for the key history',
  access: search,
  input: z.strictObject({}),
  output: z.object({ SIDO_LIST: z.array(province) }),
  errors: [],
  audit: 'none',
})

/** The districts of a province, by its name. */
export const listKeyDistricts = endpoint({
  path: '/kmn/v1/get/SigunguList',
  summary: 'Districts of a province, by its name',
  access: search,
  input: z.strictObject({ SIDO_NAME: line(40) }),
  output: z.object({ SIGUNGU_LIST: z.array(district) }),
  errors: [],
  audit: 'none',
})
