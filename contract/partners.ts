import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  code,
  codeFilter,
  filter,
  line,
  optionalDate,
  optionalEndDate,
  paging,
  partnerCode,
  totalCount,
} from './fields.ts'
import { district, province } from './keys.ts'

/** Partner types (spec §9). */
export const PARTNER_TYPE = { family: 'fa', partner: 'pa' } as const

/** An empty limit (spec §9). */
export const NO_LIMIT = -1

/** Partner search shows 6 rows a page (spec §9). */
export const PARTNERS_PER_PAGE = 6

const partners = { function: ['autho_partner_search'] } as const

const limit = z
  .number({ error: 'notNumber' })
  .check(z.int('notNumber'), z.gte(NO_LIMIT, 'limitRange'), z.lte(1_000_000_000, 'limitRange'))

const coordinate = (max: number) =>
  z
    .number({ error: 'notNumber' })
    .check(z.gte(-max, `numberRange|-${max}~${max}`), z.lte(max, `numberRange|-${max}~${max}`))

const partnerFields = z
  .strictObject({
    PARTNER_CODE: partnerCode,
    PARTNER_TYPE: z.enum(Object.values(PARTNER_TYPE), 'codeFormat'),
    MAX_KEY_NUM_DAY: limit,
    MAX_KEY_NUM_WEEK: limit,
    MAX_KEY_NUM_MONTH: limit,
    TOTAL_KEY_NUM: limit,
    EXPIRY_DATETIME_START: optionalDate,
    EXPIRY_DATETIME_END: optionalEndDate,
    BELONGTO_CODE: code,
    X: coordinate(180),
    Y: coordinate(90),
    SIDO_NAME: line(40),
    SIGUNGU_NAME: line(40),
  })
  .check(
    z.refine(
      (partner) =>
        partner.EXPIRY_DATETIME_START === '' ||
        partner.EXPIRY_DATETIME_END === '' ||
        partner.EXPIRY_DATETIME_START <= partner.EXPIRY_DATETIME_END,
      { error: 'datesOutOfOrder', path: ['EXPIRY_DATETIME_END'] },
    ),
  )

/** A partner as the detail shows it (spec §3). */
const partnerRecord = z.object({
  PARTNER_CODE: z.string(),
  PARTNER_TYPE: z.enum(Object.values(PARTNER_TYPE)),
  BELONGTO_CODE: z.string(),
  BELONGTO_CODE_NAME: z.string(),
  SIDO_NAME: z.string(),
  SIGUNGU_NAME: z.string(),
  CTPRVN_CD: z.string(),
  X: z.number(),
  Y: z.number(),
  MAX_KEY_NUM_DAY: z.number(),
  MAX_KEY_NUM_WEEK: z.number(),
  MAX_KEY_NUM_MONTH: z.number(),
  TOTAL_KEY_NUM: z.number(),
  EXPIRY_DATETIME_START: z.string(),
  EXPIRY_DATETIME_END: z.string(),
  MEMO: z.nullable(z.string()),
})

/** The provinces that a partner can be in (decisions §6). */
export const listPartnerProvinces = endpoint({
  path: '/pid/v1/get/SidoList',
  summary: 'Provinces for partners',
  access: partners,
  input: z.strictObject({}),
  output: z.object({ SIDO_LIST: z.array(province) }),
  errors: [],
  audit: 'none',
})

/** The districts of a province, by its code, with their degrees (decisions §6). */
export const listPartnerDistricts = endpoint({
  path: '/pid/v1/get/SigunguList',
  summary: 'Districts of a province, by its code',
  access: partners,
  input: z.strictObject({ SIDO_NUMBER: code }),
  output: z.object({ SIGUNGU_LIST: z.array(district) }),
  errors: [],
  audit: 'none',
})

/** Duplicate check of a partner code (spec §4). */
export const checkPartnerCode = endpoint({
  path: '/pid/v1/chk/PartnerInfo',
  summary: 'Whether a partner code is free',
  access: partners,
  input: z.strictObject({ ID: partnerCode }),
  output: z.object({}),
  errors: ['PARTNER_CODE_TAKEN'],
  audit: 'none',
})

/** Registers a partner code with its limits, dates and region. */
export const createPartner = endpoint({
  path: '/pid/v1/ins/PartnerInfo',
  summary: 'Register a partner code',
  access: partners,
  input: partnerFields,
  output: z.object({ PARTNER_CODE: z.string() }),
  errors: ['PARTNER_CODE_TAKEN', 'CODE_NOT_FOUND', 'REGION_NOT_FOUND'],
  audit: 'partner.create',
})

/** A partner as the detail shows it. */
export const getPartner = endpoint({
  path: '/pid/v1/get/PartnerInfo',
  summary: 'Read a partner',
  access: partners,
  input: z.strictObject({ PARTNER_CODE: partnerCode }),
  output: partnerRecord,
  errors: ['PARTNER_NOT_FOUND'],
  audit: 'none',
})

/** Edits a partner; PARTNER_CODE names it and stays. */
export const updatePartner = endpoint({
  path: '/pid/v1/upd/PartnerInfo',
  summary: 'Edit a partner',
  access: partners,
  input: partnerFields,
  output: z.object({ PARTNER_CODE: z.string() }),
  errors: ['PARTNER_NOT_FOUND', 'REGION_NOT_FOUND'],
  audit: 'partner.update',
})

/** Deletes a partner; one that users or keys refer to is refused (decisions §6). */
export const deletePartner = endpoint({
  path: '/pid/v1/del/PartnerInfo',
  summary: 'Delete a partner',
  access: partners,
  input: z.strictObject({ PARTNER_CODE: partnerCode }),
  output: z.object({}),
  errors: ['PARTNER_NOT_FOUND', 'PARTNER_IN_USE'],
  audit: 'partner.delete',
})

/** Dates are inclusive; ALL or empty = no filter (decisions §2). */
export const listPartners = endpoint({
  path: '/pid/v1/get/PartnerList',
  summary: 'Search partners',
  access: partners,
  input: z.strictObject({
    BELONGTO_CODE: codeFilter(),
    PARTNER_CODE: filter(30),
    EXPIRY_DATETIME_START: optionalDate,
    EXPIRY_DATETIME_END: optionalEndDate,
    ...paging(PARTNERS_PER_PAGE),
  }),
  output: z.object({
    PARTNER_LIST: z.array(z.object({ NO: z.number(), ...z.omit(partnerRecord, { MEMO: true }).shape })),
    TOTAL_COUNT: totalCount,
  }),
  errors: [],
  audit: 'none',
})
