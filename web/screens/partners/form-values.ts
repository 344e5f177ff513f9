import type { UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import type { OutputOf } from '../../../contract/endpoint.ts'
import {
  code,
  dateOrEmpty,
  datesInOrder,
  line,
  lineOrEmpty,
  multiline,
  partnerCode,
} from '../../../contract/fields.ts'
import {
  CONTACT_LENGTH,
  type getPartner,
  PARTNER_MEMO_LENGTH,
  PARTNER_NAME_LENGTH,
  PARTNER_TYPE,
  typedLimit,
} from '../../../contract/partners.ts'
import { today } from '../../forms/today.ts'

/** A partner as the API returns it. */
export type PartnerRecord = OutputOf<typeof getPartner>

/** The schema of the partner form: converts its values to the input of the calls, except the coordinates of the district. */
export const partnerForm = z
  .strictObject({
    partnerCode,
    partnerType: z.pipe(z.string(), z.enum(Object.values(PARTNER_TYPE), 'required')),
    provinceName: line(40),
    districtName: line(40),
    affiliationCode: code,
    partnerName: lineOrEmpty(PARTNER_NAME_LENGTH),
    contact: lineOrEmpty(CONTACT_LENGTH),
    memo: multiline(PARTNER_MEMO_LENGTH),
    maxKeysPerDay: typedLimit,
    maxKeysPerWeek: typedLimit,
    maxKeysPerMonth: typedLimit,
    maxKeysTotal: typedLimit,
    validFrom: dateOrEmpty,
    // The last day counts to its end (rules/partners#partner-validity).
    validTo: z.pipe(
      dateOrEmpty,
      z.transform((day) => (day === '' ? '' : `${day} 23:59:59`)),
    ),
  })
  .check(datesInOrder)

/** Unvalidated values of the form. */
export type PartnerValues = z.input<typeof partnerForm>
/** A partner as the rules let it pass. */
export type CheckedPartner = z.output<typeof partnerForm>
/** The form of a partner. */
export type PartnerFormState = UseFormReturn<PartnerValues, unknown, CheckedPartner>

/** Returns the initial values of the form: valid from today. */
export const emptyPartner = (): PartnerValues => ({
  partnerCode: '',
  partnerType: '',
  provinceName: '',
  districtName: '',
  affiliationCode: '',
  partnerName: '',
  contact: '',
  memo: '',
  maxKeysPerDay: '',
  maxKeysPerWeek: '',
  maxKeysPerMonth: '',
  maxKeysTotal: '',
  validFrom: today(),
  validTo: '',
})

/** The record as the form edits it. */
export function valuesOf(record: PartnerRecord): PartnerValues {
  return {
    partnerCode: record.partnerCode,
    partnerType: record.partnerType,
    provinceName: record.provinceName,
    districtName: record.districtName,
    affiliationCode: record.affiliationCode,
    partnerName: record.partnerName,
    contact: record.contact,
    memo: record.memo ?? '',
    maxKeysPerDay: limitText(record.maxKeysPerDay),
    maxKeysPerWeek: limitText(record.maxKeysPerWeek),
    maxKeysPerMonth: limitText(record.maxKeysPerMonth),
    maxKeysTotal: limitText(record.maxKeysTotal),
    validFrom: record.validFrom,
    validTo: record.validTo.slice(0, 10),
  }
}

const limitText = (value: number | null) => (value === null ? '' : String(value))
