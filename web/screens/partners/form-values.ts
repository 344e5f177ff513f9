import * as z from 'zod/mini'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { code, line, optionalDate, partnerCode } from '../../../contract/fields.ts'
import {
  type createPartner,
  type getPartner,
  MAX_LIMIT,
  partnerDatesInOrder,
  PARTNER_TYPE,
} from '../../../contract/partners.ts'

/** A partner as the server tells it. */
export type PartnerRecord = OutputOf<typeof getPartner>

// As people write numbers: 1,000.
const limit = z
  .string()
  .check(
    z.refine(
      (text) => /^[\d,\s]*$/.test(text) && Number(text.replaceAll(/[,\s]/g, '')) <= MAX_LIMIT,
      'partnerLimit',
    ),
  )

/** The rules of the partner form: the wire's, with limits and the end date as a person types them. */
export const partnerForm = z
  .strictObject({
    partnerCode,
    partnerType: z.enum(Object.values(PARTNER_TYPE), 'required'),
    provinceName: line(40),
    districtName: line(40),
    affiliationCode: code,
    maxKeysPerDay: limit,
    maxKeysPerWeek: limit,
    maxKeysPerMonth: limit,
    maxKeysTotal: limit,
    validFrom: optionalDate,
    validTo: optionalDate,
  })
  .check(partnerDatesInOrder)

/** What a person types of a partner. */
export type PartnerValues = Record<keyof z.input<typeof partnerForm>, string>

/** The fields of a partner's limits, in their order. */
export const LIMITS = ['maxKeysPerDay', 'maxKeysPerWeek', 'maxKeysPerMonth', 'maxKeysTotal'] as const

/** A form that nothing was typed into. */
export const NO_PARTNER: PartnerValues = {
  partnerCode: '',
  partnerType: '',
  provinceName: '',
  districtName: '',
  affiliationCode: '',
  maxKeysPerDay: '',
  maxKeysPerWeek: '',
  maxKeysPerMonth: '',
  maxKeysTotal: '',
  validFrom: '',
  validTo: '',
}

/** The record as the form edits it. */
export function valuesOf(record: PartnerRecord): PartnerValues {
  return {
    partnerCode: record.partnerCode,
    partnerType: record.partnerType,
    provinceName: record.provinceName,
    districtName: record.districtName,
    affiliationCode: record.affiliationCode,
    maxKeysPerDay: limitText(record.maxKeysPerDay),
    maxKeysPerWeek: limitText(record.maxKeysPerWeek),
    maxKeysPerMonth: limitText(record.maxKeysPerMonth),
    maxKeysTotal: limitText(record.maxKeysTotal),
    validFrom: record.validFrom,
    validTo: record.validTo.slice(0, 10),
  }
}

const limitText = (value: number | null) => (value === null ? '' : String(value))

/** The number of a limit as it was typed; null: none (rules/partners#partner-limits). */
export function limitOf(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '')
  return digits === '' ? null : Number(digits)
}

/** What is sent of a form that its rules let pass. @param at the degrees of its district */
export function wireOf(
  values: PartnerValues,
  at: { longitude: number; latitude: number },
): InputOf<typeof createPartner> {
  return {
    partnerCode: values.partnerCode,
    partnerType: values.partnerType as InputOf<typeof createPartner>['partnerType'],
    maxKeysPerDay: limitOf(values.maxKeysPerDay),
    maxKeysPerWeek: limitOf(values.maxKeysPerWeek),
    maxKeysPerMonth: limitOf(values.maxKeysPerMonth),
    maxKeysTotal: limitOf(values.maxKeysTotal),
    validFrom: values.validFrom,
    // The last day counts to its end (rules/partners#partner-validity).
    validTo: values.validTo === '' ? '' : `${values.validTo} 23:59:59`,
    affiliationCode: values.affiliationCode,
    ...at,
    provinceName: values.provinceName,
    districtName: values.districtName,
  }
}
