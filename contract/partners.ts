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

/** The longest reason to stop a partner or to let it go on. */
export const STOP_REASON_LENGTH = 200

const coordinate = (max: number) =>
  z
    .number({ error: 'notNumber' })
    .check(z.gte(-max, `numberRange|-${max}~${max}`), z.lte(max, `numberRange|-${max}~${max}`))

/**
 * What registration and edit send (rules/partners#register-partner). The degrees are those of the region table,
 * whatever is sent. Name, contact and memo may be left out: they are empty, or stay as they are.
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

/** The places are asked for by those who give affiliations their partner codes, too. */
const placePartners = { function: ['autho_partner_search', 'autho_setting_manage'] } as const

/** The provinces that a partner can be in (rules/partners#regions). */
export const listPartnerProvinces = endpoint({
  path: '/pid/v1/get/SidoList',
  summary: 'Provinces for partners',
  access: placePartners,
  input: z.strictObject({}),
  output: z.object({ provinces: z.array(province) }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** The districts of a province, by its code, with their degrees (rules/partners#regions). */
export const listPartnerDistricts = endpoint({
  path: '/pid/v1/get/SigunguList',
  summary: 'Districts of a province, by its code',
  access: placePartners,
  input: z.strictObject({ provinceCode: code }),
  output: z.object({ districts: z.array(district) }),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/** Duplicate check of a partner code (rules/partners#code-check). */
export const checkPartnerCode = endpoint({
  path: '/pid/v1/chk/PartnerInfo',
  summary: 'Whether a partner code is free',
  access: managePartners,
  input: z.strictObject({ partnerCode }),
  output: z.object({}),
  errors: ['PARTNER_CODE_TAKEN'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/**
 * Registers a partner code with its limits, dates and region. The region is looked up by its names: REGION_NOT_FOUND
 * where there is none, and its code and degrees are the server's (rules/partners#regions).
 */
export const createPartner = endpoint({
  path: '/pid/v1/ins/PartnerInfo',
  summary: 'Register a partner code',
  access: managePartners,
  input: z.strictObject(partnerFields).check(datesInOrder),
  output: z.object({ partnerCode: z.string() }),
  errors: ['PARTNER_CODE_TAKEN', 'CODE_NOT_FOUND', 'AFFILIATION_CLOSED', 'REGION_NOT_FOUND'],
  audit: 'partner.create',
  personal: 'none',
  perPerson: 'write',
})

/** A partner as the detail shows it, and how many people belong to it. */
export const getPartner = endpoint({
  path: '/pid/v1/get/PartnerInfo',
  summary: 'Read a partner',
  access: managePartners,
  input: z.strictObject({ partnerCode }),
  output: z.object({
    ...partnerRecord.shape,
    userCount: z.number(),
    /** Withdrawn accounts, which it belongs to as well. */
    withdrawnCount: z.number(),
    /** Why it was stopped; there while it is. */
    stopReason: z.optional(z.string()),
  }),
  errors: ['PARTNER_NOT_FOUND'],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})

/**
 * Edits a partner; partnerCode names it and stays, as type and affiliation do: other ones are PARTNER_READ_ONLY. A
 * region that is left as it is stays as it was written, whatever has become of it since
 * (rules/partners#region-on-record). With the version that was read, an edit that somebody else made meanwhile is
 * refused as RECORD_CHANGED.
 */
export const updatePartner = endpoint({
  path: '/pid/v1/upd/PartnerInfo',
  summary: 'Edit a partner',
  access: managePartners,
  input: z.strictObject({ ...partnerFields, version: z.optional(recordVersion) }).check(datesInOrder),
  output: z.object({ partnerCode: z.string() }),
  errors: ['PARTNER_NOT_FOUND', 'PARTNER_READ_ONLY', 'REGION_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.update',
  personal: 'none',
  perPerson: 'write',
})

const stopFields = { partnerCode, reason: line(STOP_REASON_LENGTH) }

/**
 * Stops a partner: no key is issued to it, and those that it has are `expired` until it goes on (rules/partners#stop-partner).
 * RECORD_CHANGED when somebody else was faster.
 */
export const stopPartner = endpoint({
  path: '/pid/v1/stp/PartnerInfo',
  summary: 'Stop a partner',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject(stopFields),
  output: z.object({}),
  errors: ['PARTNER_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.stop',
  personal: 'none',
  perPerson: 'write',
})

/** Lets a stopped partner go on. */
export const resumePartner = endpoint({
  path: '/pid/v1/rsm/PartnerInfo',
  summary: 'Let a stopped partner go on',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject(stopFields),
  output: z.object({}),
  errors: ['PARTNER_NOT_FOUND', 'RECORD_CHANGED'],
  audit: 'partner.resume',
  personal: 'none',
  perPerson: 'write',
})

/** Deletes a partner; one that users or keys refer to is refused (rules/partners#delete-partner). */
export const deletePartner = endpoint({
  path: '/pid/v1/del/PartnerInfo',
  summary: 'Delete a partner',
  access: managePartners,
  confirmed: 'always',
  input: z.strictObject({ partnerCode }),
  output: z.object({}),
  errors: ['PARTNER_NOT_FOUND', 'PARTNER_IN_USE', 'PARTNER_IS_DEFAULT'],
  audit: 'partner.delete',
  personal: 'none',
  perPerson: 'write',
})

/**
 * The partner codes of an affiliation that people are given, for the admin card's select: stopped ones are not among them.
 * Answers the array itself.
 */
export const listPartnersOfAffiliation = endpoint({
  path: '/pid/v1/get/Partner/from/belongto',
  summary: 'Partner codes of an affiliation',
  access: { function: ['autho_user_manage', 'autho_user_insert', 'autho_setting_manage'] },
  input: z.strictObject({ affiliationCode: code }),
  output: z.array(
    z.object({
      partnerCode: z.string(),
      /** There and Y for the default one alone (rules/affiliations#default-partner). */
      isDefault: z.optional(flag),
    }),
  ),
  errors: [],
  audit: 'none',
  personal: 'none',
  perPerson: 'read',
})
