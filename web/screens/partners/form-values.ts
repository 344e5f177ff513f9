import * as z from 'zod/mini'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { code, line, optionalDate, partnerCode } from '../../../contract/fields.ts'
import {
  type createPartner,
  type getPartner,
  MAX_LIMIT,
  NO_LIMIT,
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

/** The rules of the partner form: the wire's, with limits and the end date as a person types them (spec §5). */
export const partnerForm = z
  .strictObject({
    PARTNER_CODE: partnerCode,
    PARTNER_TYPE: z.enum(Object.values(PARTNER_TYPE), 'required'),
    SIDO_NAME: line(40),
    SIGUNGU_NAME: line(40),
    BELONGTO_CODE: code,
    MAX_KEY_NUM_DAY: limit,
    MAX_KEY_NUM_WEEK: limit,
    MAX_KEY_NUM_MONTH: limit,
    TOTAL_KEY_NUM: limit,
    EXPIRY_DATETIME_START: optionalDate,
    EXPIRY_DATETIME_END: optionalDate,
  })
  .check(partnerDatesInOrder)

/** What a person types of a partner. */
export type PartnerValues = Record<keyof z.input<typeof partnerForm>, string>

/** The fields of a partner's limits, in their order. */
export const LIMITS = ['MAX_KEY_NUM_DAY', 'MAX_KEY_NUM_WEEK', 'MAX_KEY_NUM_MONTH', 'TOTAL_KEY_NUM'] as const

/** A form that nothing was typed into. */
export const NO_PARTNER: PartnerValues = {
  PARTNER_CODE: '',
  PARTNER_TYPE: '',
  SIDO_NAME: '',
  SIGUNGU_NAME: '',
  BELONGTO_CODE: '',
  MAX_KEY_NUM_DAY: '',
  MAX_KEY_NUM_WEEK: '',
  MAX_KEY_NUM_MONTH: '',
  TOTAL_KEY_NUM: '',
  EXPIRY_DATETIME_START: '',
  EXPIRY_DATETIME_END: '',
}

/** The record as the form edits it. */
export function valuesOf(record: PartnerRecord): PartnerValues {
  return {
    PARTNER_CODE: record.PARTNER_CODE,
    PARTNER_TYPE: record.PARTNER_TYPE,
    SIDO_NAME: record.SIDO_NAME,
    SIGUNGU_NAME: record.SIGUNGU_NAME,
    BELONGTO_CODE: record.BELONGTO_CODE,
    MAX_KEY_NUM_DAY: limitText(record.MAX_KEY_NUM_DAY),
    MAX_KEY_NUM_WEEK: limitText(record.MAX_KEY_NUM_WEEK),
    MAX_KEY_NUM_MONTH: limitText(record.MAX_KEY_NUM_MONTH),
    TOTAL_KEY_NUM: limitText(record.TOTAL_KEY_NUM),
    EXPIRY_DATETIME_START: record.EXPIRY_DATETIME_START,
    EXPIRY_DATETIME_END: record.EXPIRY_DATETIME_END.slice(0, 10),
  }
}

const limitText = (value: number) => (value === NO_LIMIT ? '' : String(value))

/** The number of a limit as it was typed; empty is no limit, sent as -1 (spec §5). */
export function limitOf(text: string): number {
  const digits = text.replaceAll(/[,\s]/g, '')
  return digits === '' ? NO_LIMIT : Number(digits)
}

/** What is sent of a form that its rules let pass. @param at the degrees of its district */
export function wireOf(values: PartnerValues, at: { X: number; Y: number }): InputOf<typeof createPartner> {
  const [day, week, month, total] = LIMITS.map((name) => limitOf(values[name]))
  return {
    PARTNER_CODE: values.PARTNER_CODE,
    PARTNER_TYPE: values.PARTNER_TYPE as InputOf<typeof createPartner>['PARTNER_TYPE'],
    MAX_KEY_NUM_DAY: day ?? NO_LIMIT,
    MAX_KEY_NUM_WEEK: week ?? NO_LIMIT,
    MAX_KEY_NUM_MONTH: month ?? NO_LIMIT,
    TOTAL_KEY_NUM: total ?? NO_LIMIT,
    EXPIRY_DATETIME_START: values.EXPIRY_DATETIME_START,
    // The last day counts to its end (spec §3).
    EXPIRY_DATETIME_END: values.EXPIRY_DATETIME_END === '' ? '' : `${values.EXPIRY_DATETIME_END} 23:59:59`,
    BELONGTO_CODE: values.BELONGTO_CODE,
    ...at,
    SIDO_NAME: values.SIDO_NAME,
    SIGUNGU_NAME: values.SIGUNGU_NAME,
  }
}
