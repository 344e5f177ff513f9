import * as z from 'zod/mini'
import { dateOrEmpty, line, lineOrEmpty } from './fields.ts'

/**
 * The names of the fields that a company defines (rules/users#custom-fields). Each is the name of the value in every
 * call.
 */
export const CUSTOM_SLOTS = [
  'custom1',
  'custom2',
  'custom3',
  'custom4',
  'custom5',
  'custom6',
  'custom7',
  'custom8',
  'custom9',
  'custom10',
] as const
/** The name of a field that a company defines. */
export type CustomSlot = (typeof CUSTOM_SLOTS)[number]

/** Creates a record with the same value for each of CUSTOM_SLOTS. */
// @__NO_SIDE_EFFECTS__
export const perSlot = <T>(value: T) =>
  Object.fromEntries(CUSTOM_SLOTS.map((slot) => [slot, value])) as Record<CustomSlot, T>

/** The kinds of values. */
export const CUSTOM_KINDS = ['text', 'choice', 'date'] as const

/** The users who see a field: those who read users; the user too; or all colleagues. */
export const SEEN_BY = ['managers', 'person', 'colleagues'] as const

/** The users who change a field: those who change users, or the user too. */
export const EDITED_BY = ['managers', 'person'] as const

/** The most choices of a field. */
export const MAX_CHOICES = 50

/** The longest value, in characters. */
const MAX_VALUE = 200

/** Schema of the value of a custom field; '' for none. */
export const lineValue = lineOrEmpty(MAX_VALUE)

/**
 * The filter of a search by the company's own fields, by slot; '' or left out means no filter. A text matches any part, a choice
 * the whole, and a date a period `2026-01-01~2026-12-31`, of which either end may be left out
 * (rules/users#custom-field-filters).
 */
export const customFilter = z._default(z.strictObject(perSlot(z.optional(lineValue))), {})

/**
 * Splits a period of `customFilter` into its first and last day; '' for no limit. Without a '~' the text is the first
 * day.
 */
export const periodOf = (period: string) => {
  const [from = '', to = ''] = period.split('~')
  return { from, to }
}

/**
 * Returns the schema of a list of single lines, up to 50 characters each. Repetitions are left out.
 * @param max the most lines, with repetitions
 */
// @__NO_SIDE_EFFECTS__
export const uniqueLines = (max: number) =>
  z.array(line(50), 'notAList').check(
    z.maxLength(max, `tooManyChosen|${max}`),
    z.overwrite((lines) => [...new Set(lines)]),
  )

/**
 * The definition of a field (rules/users#custom-fields). A choice needs values ('required'), each once; users who edit
 * a field must see it ('editedUnseen').
 */
export const customField = z
  .strictObject({
    slot: z.enum(CUSTOM_SLOTS, 'codeFormat'),
    name: line(30),
    /** Name in English; '' to show the Korean one. */
    nameEn: lineOrEmpty(30),
    kind: z.enum(CUSTOM_KINDS, 'codeFormat'),
    /** The values of a choice; empty for other kinds. */
    choices: uniqueLines(MAX_CHOICES),
    seenBy: z.enum(SEEN_BY, 'codeFormat'),
    editedBy: z.enum(EDITED_BY, 'codeFormat'),
  })
  .check(
    z.refine(({ kind, choices }) => kind !== 'choice' || choices.length > 0, {
      error: 'required',
      path: ['choices'],
    }),
    z.refine(({ seenBy, editedBy }) => seenBy !== 'managers' || editedBy === 'managers', {
      error: 'editedUnseen',
      path: ['editedBy'],
    }),
  )
/** The definition of a field that a company adds to user records. */
export type CustomField = z.output<typeof customField>

/** Returns whether no value appears twice. True for an empty list. */
const areDistinct = (values: readonly string[]) => new Set(values).size === values.length

/**
 * The definitions of all fields, in order: at most one per slot, with different names ('namedTwice', ignoring case).
 */
export const customFields = z.array(customField, 'notAList').check(
  z.maxLength(CUSTOM_SLOTS.length, `tooManyChosen|${CUSTOM_SLOTS.length}`),
  z.refine((fields) => areDistinct(fields.map(({ slot }) => slot)), 'codeFormat'),
  // An import finds a field by its name.
  z.refine((fields) => areDistinct(fields.map(({ name }) => name.toLowerCase())), 'namedTwice'),
)

/** Employee number: up to 20 letters, digits and hyphens in upper case; '' for none (rules/users#employee-number). */
export const employeeNumber = lineOrEmpty(20).check(
  z.toUpperCase(),
  z.regex(/^[A-Z0-9-]*$/, 'employeeNumberFormat'),
)

/** The employee number and the values of the fields, in a form. A value that is left out stays; '' removes it. */
export const detailFields = {
  employeeNumber: z.optional(employeeNumber),
  ...perSlot(z.optional(lineValue)),
}

/** The fields of `detailFields` in a response, which has only the values that the caller sees. */
export const shownDetails = { employeeNumber: z.optional(z.string()), ...perSlot(z.optional(z.string())) }

/**
 * Returns the key of the message for a value that does not fit its custom field (a wrong choice or date); undefined if
 * it fits. '' always fits, because no field is required.
 * @param present the stored value, which may stay as it is
 */
export function faultOf(
  { kind, choices }: Pick<CustomField, 'kind' | 'choices'>,
  value: string,
  present = '',
) {
  if (value === '' || value === present) return undefined
  if (kind === 'choice') return choices.includes(value) ? undefined : 'notAChoice'
  return kind === 'date' && !dateOrEmpty.safeParse(value).success ? 'dateFormat' : undefined
}
