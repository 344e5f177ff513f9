import {
  CUSTOM_SLOTS,
  type CustomField,
  type CustomSlot,
  faultOf,
} from '../../../../contract/custom-fields.ts'
import type { listCustomFields as endpoint } from '../../../../contract/users/custom-fields.ts'
import { refuse } from '../../../../contract/errors.ts'
import type { Language } from '../../../../contract/messages/language.ts'
import { type Actor, can, USER_READERS } from '../../../../contract/permissions.ts'
import { InputRefusal } from '../../../http/error-response.ts'
import type { Call, Handler } from '../../../http/handler.ts'

/** Values of the fields that the company defines, by slot; without empty ones. */
export type CustomValues = Partial<Record<CustomSlot, string>>

/** Employee number and values of the company's own fields of an account, as its row has them. */
export interface Details {
  employeeNumber: string | null
  customValues: unknown
}

/** Details in a form. A detail that is left out stays; '' empties it. */
type GivenDetails = Partial<Record<CustomSlot | 'employeeNumber', string | undefined>>

/** Returns the values of the company's own fields of an account. */
export const valuesOf = ({ customValues }: Pick<Details, 'customValues'>) => customValues as CustomValues

/** Returns the definitions of all fields that the company has added, from the settings. */
export const fieldsOf = ({ services }: Pick<Call, 'services'>) => services.settings.now().customFields

/**
 * Returns the definitions of the fields that the caller may see, also in their own account (rules/users#custom-fields).
 * Those for managers need a permission to read or register users.
 */
export const seenFields = (call: Pick<Call, 'services'>, actor: Actor): CustomField[] =>
  fieldsOf(call).filter(({ seenBy }) => seenBy !== 'managers' || seesAll(actor))

/** Returns whether the actor may read or register users, and so sees also the fields for managers. */
const seesAll = (actor: Actor) =>
  [...USER_READERS, 'autho_user_insert' as const].some((name) => can(actor, name))

/** Returns the name of a field in a language; the Korean one if it has no English name. */
export const fieldName = ({ name, nameEn }: CustomField, language: Language) =>
  language === 'en' && nameEn !== '' ? nameEn : name

/** Returns the names of fields in a language, by slot. */
export const fieldNames = (fields: readonly CustomField[], language: Language) =>
  Object.fromEntries(fields.map((field) => [field.slot, fieldName(field, language)]))

/**
 * Returns the details of an account as a call returns them: employee number and a value for each of these fields, ''
 * for none.
 */
export const shownOf = (account: Details, fields: readonly CustomField[]) => ({
  employeeNumber: account.employeeNumber ?? '',
  ...Object.fromEntries(fields.map(({ slot }) => [slot, valuesOf(account)[slot] ?? ''])),
})

/**
 * Returns the names and values of the fields that all colleagues see, without empty ones (rules/users#custom-fields).
 */
export const publicDetails = (
  call: Pick<Call, 'services' | 'language'>,
  account: Pick<Details, 'customValues'>,
) =>
  fieldsOf(call).flatMap((field) => {
    const value = valuesOf(account)[field.slot] ?? ''
    return field.seenBy !== 'colleagues' || value === ''
      ? []
      : [{ name: fieldName(field, call.language), value }]
  })

/**
 * Returns the definitions of the fields that the caller may see, and which of them the caller may change in their own
 * account (rules/users#custom-fields).
 */
export const listCustomFields: Handler<typeof endpoint> = async (call) => ({
  customFields: seenFields(call, call.actor).map((field) => ({
    slot: field.slot,
    name: field.name,
    nameEn: field.nameEn,
    kind: field.kind,
    choices: field.choices,
    editable: can(call.actor, 'autho_user_manage') || field.editedBy === 'person',
  })),
})

/**
 * Returns the columns that a form changes in employee number and custom fields, and their part of the audit row; both
 * are empty without a change. Writes nothing. A field that the caller does not see is unknown to them, so that no
 * answer depends on its value.
 * @param present the account before; undefined for a new one
 * @param isOwn true if the form is of the caller's own account
 * @throws {InputRefusal} for a value that does not fit its field, and `unknownField` for a value of an unknown field
 * @throws {Refusal} FORBIDDEN for a change of the caller's own account that only others may make
 */
export function planDetails(
  call: Pick<Call, 'services'> & { actor: Actor },
  given: GivenDetails,
  present: Details = { employeeNumber: null, customValues: {} },
  isOwn = false,
) {
  const mayChange = !isOwn || can(call.actor, 'autho_user_manage')
  const fields = seenFields(call, call.actor)
  const values = valuesOf(present)
  const after: CustomValues = {}
  for (const slot of CUSTOM_SLOTS) {
    const value = given[slot]
    const field = fields.find((one) => one.slot === slot)
    if (value === undefined || (field === undefined && value === '')) continue
    const fault = field === undefined ? 'unknownField' : faultOf(field, value, values[slot])
    if (fault !== undefined) throw new InputRefusal(fault, slot, slot.toUpperCase())
    if (value === (values[slot] ?? '')) continue
    if (!mayChange && field?.editedBy !== 'person') refuse('FORBIDDEN')
    after[slot] = value
  }
  const number = given.employeeNumber === undefined ? present.employeeNumber : given.employeeNumber || null
  if (number !== present.employeeNumber && !mayChange) refuse('FORBIDDEN')
  return changeOf(fields, present, { employeeNumber: number, values: after })
}

/**
 * Returns the columns of changed details, and their part of the audit row with the Korean names of the fields. Both are
 * empty without a change.
 */
export function changeOf(
  fields: readonly CustomField[],
  present: Details,
  { employeeNumber, values }: { employeeNumber: string | null; values: CustomValues },
) {
  const before = valuesOf(present)
  const changed = fields.filter(({ slot }) => slot in values)
  const named = (from: CustomValues) =>
    Object.fromEntries(changed.map(({ slot, name }) => [name, from[slot] ?? '']))
  const isOther = employeeNumber !== present.employeeNumber
  return {
    columns: {
      ...(isOther && { employeeNumber }),
      ...(changed.length > 0 && { customValues: storedValues({ ...before, ...values }) }),
    },
    audited: {
      ...(isOther && { employeeNumber: { before: present.employeeNumber, after: employeeNumber } }),
      ...(changed.length > 0 && { customValues: { before: named(before), after: named(values) } }),
    },
  }
}

/** Returns values as the JSON text that the database stores, without empty ones. */
export const storedValues = (values: CustomValues): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')))

/** Splits a form into its details (`given`: employee number and custom fields) and its other fields (`fields`). */
export function withoutDetails<F extends GivenDetails>(form: F) {
  const names: readonly string[] = ['employeeNumber', ...CUSTOM_SLOTS]
  const part = (isDetail: boolean) =>
    Object.fromEntries(Object.entries(form).filter(([name]) => names.includes(name) === isDetail))
  return { fields: part(false) as Omit<F, keyof GivenDetails>, given: part(true) as GivenDetails }
}
