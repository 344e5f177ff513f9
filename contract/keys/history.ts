import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { codeFilter, filter, line, optionalDate, paging, sorting, timestamp, totalCount } from '../fields.ts'
import { district, province } from '../partners/regions.ts'

/** Key history shows 4 rows a page (rules/keys#key-history). */
export const KEYS_PER_PAGE = 4

/** The columns by which the history can be sorted: only the one that has an index for 10,000,000 keys. */
export const KEY_SORTS = ['issuedAt'] as const

/** The text shown instead of every issued key: no response contains a key (rules/keys#issued-key). */
export const ISSUED_KEY_MASK = '********'

/** Access policy of the calls that read the key history. */
export const search = { function: ['autho_key_search', 'autho_key_own'] } as const

/** A row of the key history; it never contains the issued key (rules/keys#issued-key). */
const keyRow = z.object({
  rowNumber: z.number(),
  keyId: z.string(),
  provinceName: z.string(),
  districtName: z.string(),
  affiliationName: z.string(),
  partnerCode: z.string(),
  userId: z.string(),
  name: z.string(),
  /** Complete, or masked as 010-****-1234 (rules/keys#phone-numbers). */
  phoneNumber: z.string(),
  requestKey: z.string(),
  /** Version of the secret from which the key is derived (rules/keys#changed-secret). */
  secretVersion: z.number(),
  issuedAt: timestamp,
  /** Empty unless the key was revoked. */
  revokedAt: z.union([timestamp, z.literal('')]),
  revokeReason: z.string(),
  /** Login ID of the user who revoked it. */
  revokedBy: z.string(),
})

/** The filters of the history and its charts. */
export const keyFilters = {
  affiliationCode: codeFilter(),
  partnerCode: filter(30),
  requesterName: filter(),
  /** Login ID of the requester: a complete one matches this user only, any other text a part of it. */
  userId: filter(20),
  phoneNumber: filter(),
  issuedFrom: optionalDate,
  issuedTo: optionalDate,
  provinceName: codeFilter(),
  districtName: codeFilter(),
}

/**
 * Lists the issued keys: those of the caller's branch, or for a caller without `autho_key_search` only the own ones.
 * Dates are inclusive in Asia/Seoul; ALL or empty means no filter.
 */
export const listKeys = endpoint({
  path: '/kmn/v1/get/KeyList',
  summary: 'Search the history of issued keys',
  title: { ko: '키 발급 이력 조회', en: 'Searched issued keys' },
  access: search,
  scope: 'keys:read',
  input: z.strictObject({
    ...keyFilters,
    ...sorting(KEY_SORTS),
    ...paging(KEYS_PER_PAGE),
  }),
  output: z.object({ keys: z.array(keyRow), totalCount }),
  audit: 'none',
  personal: ['search', 'told'],
})

/** Lists the provinces by which the history can be filtered. */
export const listKeyProvinces = endpoint({
  path: '/kmn/v1/get/SidoList',
  summary: 'Provinces for the key history',
  title: { ko: '시/도 조회', en: 'Listed provinces' },
  access: search,
  scope: 'keys:read',
  output: z.object({ provinces: z.array(province) }),
  audit: 'none',
  personal: 'none',
})

/** Lists the districts of a province, by its name. */
export const listKeyDistricts = endpoint({
  path: '/kmn/v1/get/SigunguList',
  summary: 'Districts of a province, by its name',
  title: { ko: '시/군/구 조회', en: 'Listed districts' },
  access: search,
  scope: 'keys:read',
  input: z.strictObject({ provinceName: line(40) }),
  output: z.object({ districts: z.array(district) }),
  audit: 'none',
  personal: 'none',
})
