import { useEffect, useEffectEvent } from 'react'
import { useFormContext, type FieldValues, type PathValue, type FieldPath } from 'react-hook-form'
import { usePortalConfig } from '../api/config.ts'
import { usePortalMessages } from '../language.tsx'
import { DateField, type DateFieldProps } from '../ui/date-field.tsx'
import { endOfMonths, readDate } from '../ui/dates.ts'
import layout from '../ui/layout.module.css'
import { Presets } from '../ui/presets.tsx'
import { SelectField, type SelectFieldProps } from '../ui/select-field.tsx'
import { useBound, type BoundFieldProps, type FormsBusiness } from './bound-text.tsx'
import { useChoiceTexts, type Choices } from './choices.ts'
import { useDateTexts } from './date-texts.ts'
import { ListFailed } from './list-error.tsx'
import { today } from './today.ts'

export { BoundText } from './bound-text.tsx'

/** Props of a bound select in addition to those of its form. Its texts have defaults. */
type ChoiceProps = Omit<SelectFieldProps, FormsBusiness | 'options' | 'isLoading' | keyof SelectTexts> &
  Partial<SelectTexts>
/** Placeholder and state texts of a select. */
type SelectTexts = ReturnType<typeof useChoiceTexts>

/**
 * Shows a bound select. Selects the only option of a required field by itself (rules/frame#preselection). Shows a retry
 * under the field if its list could not be loaded.
 */
export function BoundSelect<Values extends FieldValues>({
  choices,
  ...props
}: BoundFieldProps<Values> & ChoiceProps & { choices: Choices }) {
  const bound = useBound<Values>(props)
  const { options, isLoading, isFailed, retry } = choices
  useSoleChoice<Values>(props, bound.value, choices)
  return (
    <SelectField
      {...useChoiceTexts(choices)}
      options={options}
      isLoading={isLoading}
      {...props}
      {...bound}
      description={isFailed ? <ListFailed retry={retry} /> : props.description}
    />
  )
}

/**
 * Selects the only option of an empty required field, as its default value, so that the form does not become
 * dirty. Calls `onChanged` as a choice of the user would.
 */
function useSoleChoice<Values extends FieldValues>(
  { name, onChanged, isRequired, isReadOnly }: BoundFieldProps<Values> & Partial<ChoiceProps>,
  value: string,
  { options, isLoading, isSoleChosen = true }: Choices,
): void {
  const { resetField } = useFormContext<Values>()
  const mayBeMade = isRequired === true && isReadOnly !== true && !isLoading && isSoleChosen
  const sole = mayBeMade && options.length === 1 ? options[0]?.value : undefined
  const make = useEffectEvent((choice: string) => {
    // Not an input of the user: as a default value it does not make the form dirty.
    resetField(name, { defaultValue: choice as PathValue<Values, FieldPath<Values>> })
    onChanged?.(choice)
  })
  useEffect(() => {
    if (value === '' && sole !== undefined) make(sole)
  }, [value, sole])
}

/**
 * Shows a date field that is bound to the surrounding form. An input that is no date has the error of the schema, or a
 * general one.
 */
export function BoundDate<Values extends FieldValues>(
  props: BoundFieldProps<Values> &
    Omit<DateFieldProps, FormsBusiness | keyof ReturnType<typeof useDateTexts>>,
) {
  const texts = useDateTexts()
  const bound = useBound<Values>(props)
  return (
    <DateField {...texts} {...props} {...bound} invalidMessage={bound.errorMessage ?? texts.invalidMessage} />
  )
}

/**
 * Options of the validity fields. `isRequired` is true for a user's period, whose end is optional if the setting allows
 * it (rules/users#open-end).
 */
interface ValidityProps {
  isRequired?: boolean
  /** Description of an empty date. */
  emptyText?: string
}

/**
 * Shows the bound fields `validFrom` and `validTo` of a validity period, with buttons that set the last day. The last
 * day is required if `isRequired`, unless the setting allows an open end. A change of the first day validates the last
 * day again.
 */
export function ValidityFields({ isRequired = false, emptyText }: ValidityProps) {
  const { fields, users } = usePortalMessages()
  const { getValues, trigger, watch } = useFormContext()
  const descriptionOf = (name: 'validFrom' | 'validTo') => (watch(name) === '' ? emptyText : undefined)
  // Only the period of a user is required.
  const isOpen = usePortalConfig().openEnd === true && isRequired
  return (
    <>
      <BoundDate
        name="validFrom"
        label={fields.validFrom}
        description={descriptionOf('validFrom')}
        onChanged={() => {
          if (getValues('validTo') !== '') void trigger('validTo')
        }}
        isRequired={isRequired}
      />
      <div>
        <BoundDate
          name="validTo"
          label={fields.validTo}
          description={isOpen ? users.form.openEnd : descriptionOf('validTo')}
          isRequired={isRequired && !isOpen}
        />
        <div className={layout.underField}>
          <ValidityPresets />
        </div>
      </div>
    </>
  )
}

/** Lengths of the validity period that the buttons offer, in months. */
const MONTHS = [6, 12, 24] as const

/**
 * Shows buttons that set the last day to 6, 12 or 24 months after the first one, or after today if that is empty
 * (rules/partners#partner-validity).
 */
function ValidityPresets() {
  const { lists, users } = usePortalMessages()
  const { getValues, setValue } = useFormContext()
  return (
    <Presets
      label={lists.presets.label}
      choices={MONTHS.map((months) => ({
        label: users.validity.lasts[months],
        pick: () =>
          setValue('validTo', endOfMonths(readDate(String(getValues('validFrom'))) ?? today(), months), {
            shouldDirty: true,
            shouldValidate: true,
          }),
      }))}
    />
  )
}
