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

/** One partner with all details, as `getPartner` returns it. */
export type PartnerRecord = OutputOf<typeof getPartner>

/**
 * The schema of the partner form. It converts the values to the input of the calls, apart from the coordinates of the
 * district.
 */
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
/** Validated values of the form. */
export type CheckedPartner = z.output<typeof partnerForm>
/** State of the partner form. */
export type PartnerFormState = UseFormReturn<PartnerValues, unknown, CheckedPartner>

/** Returns the fields of the form as texts; '' for a field that the record lacks. */
function textsOf(record: Partial<PartnerRecord>): PartnerValues {
  const names = Object.keys(partnerForm.shape) as (keyof PartnerValues)[]
  return Object.fromEntries(names.map((name) => [name, String(record[name] ?? '')])) as PartnerValues
}

/** Returns the initial values of the form: valid from today. */
export const emptyPartner = (): PartnerValues => ({ ...textsOf({}), validFrom: today() })

/** Returns the partner as the form edits it: '' for a missing limit or day, and the last day without its time. */
export const valuesOf = (record: PartnerRecord): PartnerValues => ({
  ...textsOf(record),
  validTo: record.validTo.slice(0, 10),
})
