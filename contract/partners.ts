import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  code,
  datesInOrder,
  flag,
  line,
  lineOrEmpty,
  multiline,
  optionalDate,
  optionalEndDate,
  partnerCode,
  recordVersion,
} from './fields.ts'
import { partnerLimit } from './partners/limits.ts'
import { district, province } from './partners/regions.ts'
import {
  CONTACT_LENGTH,
  managePartners,
  PARTNER_MEMO_LENGTH,
  PARTNER_NAME_LENGTH,
  PARTNER_TYPE,
  partnerRecord,
} from './partners/record.ts'

export * from './partners/bulk.ts'
export * from './partners/export.ts'
export * from './partners/limits.ts'
export * from './partners/list.ts'
export {
  CONTACT_LENGTH,
  PARTNER_MEMO_LENGTH,
  PARTNER_NAME_LENGTH,
  PARTNER_STATES,
  PARTNER_TYPE,
} from './partners/record.ts'

/** The longest reason to deactivate or reactivate a partner, in characters. */
export const STOP_REASON_LENGTH = 200

/** Creates a schema for degrees from -`max` to `max`. */
const coordinate = (max: number) =>
  z
    .number({ error: 'notNumber' })
    .check(z.gte(-max, `numberRange|-${max}~${max}`), z.lte(max, `numberRange|-${max}~${max}`))

/**
 * The fields of registration and edit (rules/partners#register-partner). The degrees are those of the region table; the server
 * ignores values that the client sends. Name, contact and memo may be left out: they are empty, or stay unchanged.
 */
const partnerFields = {
  partnerCode,
  partnerType: z.enum(Object.values(PARTNER_TYPE), 'codeFormat'),
  maxKeysPerDay: partnerLimit,
  maxKeysPerWeek: partnerLimit,
  maxKeysPerMonth: partnerLimit,
  maxKeysTotal: partnerLimit,
  validFrom: optionalDate,
  validTo: optionalEndDate,
  affiliationCode: code,
  longitude: coordinate(180),
  latitude: coordinate(90),
  provinceName: line(40),
  districtName: line(40),
  partnerName: z.optional(lineOrEmpty(PARTNER_NAME_LENGTH)),
  contact: z.optional(lineOrEmpty(CONTACT_LENGTH)),
  memo: z.optional(multiline(PARTNER_MEMO_LENGTH)),
}

/** The access policy of the region lists. Users who assign partner codes to affiliations need them too. */
const placePartners = { function: ['autho_partner_search', 'autho_setting_manage'] } as const

/** Lists the provinces in which a partner can be (rules/partners#regions). */
export const listPartnerProvinces = endpoint({
  path: '/pid/v1/get/SidoList',
  summary: 'Provinces for partners',
  title: { ko: '파트너 시/도 조회', en: 'Listed provinces of partners' },
  access: placePartners,
  scope: 'partners:read',
  output: z.object({ provinces: z.array(province) }),
  audit: 'none',
  personal: 'none',
})

/** Lists the districts of a province, by its code, with their degrees (rules/partners#regions). */
export const listPartnerDistricts = endpoint({
  path: '/pid/v1/get/SigunguList',
  summary: 'Districts of a province, by its code',
  title: { ko: '파트너 시/군/구 조회', en: 'Listed districts of partners' },
  access: placePartners,
  scope: 'partners:read',
  input: z.strictObject({ provinceCode: code }),
  output: z.object({ districts: z.array(district) }),
  audit: 'none',
  personal: 'none',
})

/** Checks a partner code (rules/partners#code-check): PARTNER_CODE_TAKEN if it is not free. */
export const checkPartnerCode = endpoint({
  path: '/pid/v1/chk/PartnerInfo',
  summary: 'Check whether a partner code is free',
  title: { ko: '파트너 코드 중복 확인', en: 'Checked a partner code' },
  access: managePartners,
  scope: 'partners:read',
  input: z.strictObject({ partnerCode }),
  errors: ['PARTNER_CODE_TAKEN'],
  audit: 'none',
  personal: 'none',
})

/**
 * Registers a partner code with its limits, dates and region. The server looks up the region by its names and sets its
 * code and degrees (rules/partners#regions): those of the input are required, but ignored. REGION_NOT_FOUND if the
 * region does not exist, PARTNER_CODE_TAKEN for a code in use, AFFILIATION_CLOSED for a closed affiliation.
 */
export const createPartner = endpoint({
  path: '/pid/v1/ins/PartnerInfo',
  summary: 'Register a partner code',
  title: { ko: '파트너 코드 등록', en: 'Registered a partner code' },
  access: managePartners,
  scope: 'partners:write',
  input: z.strictObject(partnerFields).check(datesInOrder),
  output: z.object({ partnerCode: z.string() }),
  errors: ['PARTNER_CODE_TAKEN', 'CODE_NOT_FOUND', 'AFFILIATION_CLOSED', 'REGION_NOT_FOUND'],
  audit: 'partner.create',
  personal: 'none',
})

/**
 * Returns a partner for its detail page, and the numbers of its users and withdrawn accounts. PARTNER_NOT_FOUND for an
 * unknown code.
 */
export const getPartner = endpoint({
  path: '/pid/v1/get/PartnerInfo',
  summary: 'Read a partner',
  title: { ko: '파트너 코드 조회', en: 'Read a partner code' },
  access: managePartners,
  scope: 'partners:read',
  input: z.strictObject({ partnerCode }),
  output: z.object({
    ...partnerRecord.shape,
    userCount: z.number(),
    /** Number of withdrawn accounts, which belong to it as well. */
    withdrawnCount: z.number(),
    /** Reason of the deactivation; present only while it is inactive. */
    stopReason: z.optional(z.string()),
  }),
  errors: ['PARTNER_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
})

/**
 * Edits a partner. partnerCode identifies it and cannot change, nor can type and affiliation: another value is PARTNER_READ_ONLY.
 * An unchanged region keeps its stored names and degrees, even if the region table has changed since
 * (rules/partners#stored-region). RECORD_CHANGED if the partner has changed since the version that was read.
 */
export const updatePartner = endpoint({
  path: '/pid/v1/upd/PartnerInfo',
  summary: 'Edit a partner',
  title: { ko: '파트너 코드 수정', en: 'Edited a partner code' },
  access: managePartners,
  scope: 'partners:write',
  input: z.strictObject({ ...partnerFields, version: z.optional(recordVersion) }).check(datesInOrder),
  output: z.object({ partnerCode: z.string() }),
  errors: ['PARTNER_NOT_FOUND', 'PARTNER_READ_ONLY', 'REGION_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.update',
  auditsChangeOnly: true,
  personal: 'none',
})

/** The partner and the reason. */
const stopFields = { partnerCode, reason: line(STOP_REASON_LENGTH) }

/**
 * Deactivates a partner: no key is issued to it, and its keys are `expired` until it is reactivated
 * (rules/partners#stop-partner). RECORD_CHANGED if it is inactive already.
 */
export const stopPartner = endpoint({
  path: '/pid/v1/stp/PartnerInfo',
  summary: 'Stop a partner',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject(stopFields),
  errors: ['PARTNER_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.stop',
  personal: 'none',
})

/** Reactivates a partner, whose keys are valid again. RECORD_CHANGED if it is active already. */
export const resumePartner = endpoint({
  path: '/pid/v1/rsm/PartnerInfo',
  summary: 'Resume a stopped partner',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject(stopFields),
  errors: ['PARTNER_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.resume',
  personal: 'none',
})

/**
 * Deletes a partner (rules/partners#delete-partner). PARTNER_IN_USE if users, also withdrawn ones, or keys
 * refer to it; PARTNER_IS_DEFAULT for the default of an affiliation.
 */
export const deletePartner = endpoint({
  path: '/pid/v1/del/PartnerInfo',
  summary: 'Delete a partner',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject({ partnerCode }),
  errors: ['PARTNER_NOT_FOUND', 'PARTNER_IN_USE', 'PARTNER_IS_DEFAULT'],
  audit: 'partner.delete',
  personal: 'none',
})

/**
 * Lists the partner codes of an affiliation that can be assigned to users, for the select of the admin card; without inactive ones,
 * valid ones first. Returns the array itself.
 */
export const listPartnersOfAffiliation = endpoint({
  path: '/pid/v1/get/Partner/from/belongto',
  summary: 'Partner codes of an affiliation',
  title: { ko: '소속의 파트너 코드 조회', en: 'Listed partner codes of an affiliation' },
  access: { function: ['autho_user_manage', 'autho_user_insert', 'autho_setting_manage'] },
  scope: 'partners:read',
  input: z.strictObject({ affiliationCode: code }),
  output: z.array(
    z.object({
      partnerCode: z.string(),
      /** Present, as Y, only for the default one (rules/affiliations#default-partner). */
      isDefault: z.optional(flag),
      /** Present only for a partner that is issued no keys today. */
      state: z.optional(z.enum(['upcoming', 'expired'])),
    }),
  ),
  audit: 'none',
  personal: 'none',
})
