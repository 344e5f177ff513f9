import { useEffect, useEffectEvent } from 'react'
import { useFormContext, type FieldValues, type PathValue, type FieldPath } from 'react-hook-form'
import { usePortalMessages } from '../language.tsx'
import { DateField, type DateFieldProps } from '../ui/date-field.tsx'
import { endOfMonths, readDate } from '../ui/dates.ts'
import layout from '../ui/layout.module.css'
import { Presets } from '../ui/presets.tsx'
import { SelectField, type SelectFieldProps } from '../ui/select-field.tsx'
import { useBound, type Bound, type FormsBusiness } from './bound-text.tsx'
import { useChoiceTexts, type Choices } from './choices.ts'
import { useDateTexts } from './date-texts.ts'
import { ListFailed } from './list-failed.tsx'
import { today } from './today.ts'

export { BoundText } from './bound-text.tsx'

type ChoiceProps = Omit<SelectFieldProps, FormsBusiness | 'options' | 'isLoading' | keyof SelectTexts> &
  Partial<SelectTexts>
type SelectTexts = ReturnType<typeof useChoiceTexts>

/**
 * A choice of the form around it; the only one that there is is made beforehand (rules/frame#beforehand). A list that could
 * not be loaded says so under the field, with a retry.
 */
export function BoundSelect<Values extends FieldValues>({
  choices,
  ...props
}: Bound<Values> & ChoiceProps & { choices: Choices }) {
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

function useSoleChoice<Values extends FieldValues>(
  { name, onChanged, isRequired, isReadOnly }: Bound<Values> & Partial<ChoiceProps>,
  value: string,
  { options, isLoading }: Choices,
): void {
  const { resetField } = useFormContext<Values>()
  const mayBeMade = isRequired === true && isReadOnly !== true && !isLoading
  const sole = mayBeMade && options.length === 1 ? options[0]?.value : undefined
  const make = useEffectEvent((choice: string) => {
    // Nobody typed it: whoever leaves now loses nothing.
    resetField(name, { defaultValue: choice as PathValue<Values, FieldPath<Values>> })
    onChanged?.(choice)
  })
  useEffect(() => {
    if (value === '' && sole !== undefined) make(sole)
  }, [value, sole])
}

/** A date of the form around it; what is no date is told in the schema's texts. */
export function BoundDate<Values extends FieldValues>(
  props: Bound<Values> & Omit<DateFieldProps, FormsBusiness | keyof ReturnType<typeof useDateTexts>>,
) {
  const texts = useDateTexts()
  const bound = useBound<Values>(props)
  return (
    <DateField {...texts} {...props} {...bound} invalidMessage={bound.errorMessage ?? texts.invalidMessage} />
  )
}

interface ValidityProps {
  isRequired?: boolean
  /** Said under a day that is not given: that there is none. */
  emptyText?: string
}

/** The first and the last day of the form around it. Their order is told at the last one. */
export function ValidityFields({ isRequired = false, emptyText }: ValidityProps) {
  const { fields } = usePortalMessages()
  const { getValues, trigger, watch } = useFormContext()
  const told = (name: 'validFrom' | 'validTo') => (watch(name) === '' ? emptyText : undefined)
  return (
    <>
      <BoundDate
        name="validFrom"
        label={fields.validFrom}
        description={told('validFrom')}
        onChanged={() => {
          if (getValues('validTo') !== '') void trigger('validTo')
        }}
        isRequired={isRequired}
      />
      <div>
        <BoundDate
          name="validTo"
          label={fields.validTo}
          description={told('validTo')}
          isRequired={isRequired}
        />
        <div className={layout.underField}>
          <ValidityPresets />
        </div>
      </div>
    </>
  )
}

const MONTHS = [6, 12, 24] as const

/** Fills the last day by how long it lasts from the first, or from today (rules/partners#partner-validity). */
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
