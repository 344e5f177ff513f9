import { ALL } from '../../../../contract/common.ts'
import { periodOf } from '../../../../contract/custom-fields.ts'
import { fieldFilters as en } from '../../../../contract/messages/en/field-filters.ts'
import { fieldFilters as ko } from '../../../../contract/messages/ko/field-filters.ts'
import { ChoiceFilter } from '../../../forms/choice-filter.tsx'
import { fixedChoices, withAll } from '../../../forms/choices.ts'
import { useCustomFields } from '../../../forms/custom-fields.ts'
import { useDateTexts } from '../../../forms/date-texts.ts'
import { createTexts, usePortalMessages } from '../../../language.tsx'
import type { BoundFilter } from '../../../lists/filter-form.tsx'
import { DateField } from '../../../ui/date-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { fieldsOf, fieldsText } from './search-state.ts'

/** Returns the texts of these filters in the current language. */
const useTexts = createTexts({ ko, en })

/**
 * Shows a filter for each field of the company that the user sees: part of a text, a choice, or a period of dates
 * (rules/users#custom-field-filters). `value` is the text of all these filters, as `fieldsText` writes it.
 */
export default function FieldFilters({ value, onChange }: BoundFilter) {
  const t = useTexts()
  const { lists } = usePortalMessages()
  const dateTexts = useDateTexts()
  const values = fieldsOf(value)

  return useCustomFields().map(({ slot, name, kind, choices }) => {
    const present = values[slot] ?? ''
    const change = (text: string) => onChange(fieldsText({ ...values, [slot]: text }))
    if (kind === 'text')
      return <TextField key={slot} label={name} value={present} onChange={change} maxLength={200} />
    if (kind === 'choice') {
      const options = fixedChoices(choices.map((choice) => ({ value: choice, label: choice })))
      return (
        <ChoiceFilter
          key={slot}
          label={name}
          choices={withAll(options, lists.all)}
          value={present === '' ? ALL : present}
          onChange={(choice) => change(choice === ALL ? '' : choice)}
        />
      )
    }
    const { from, to } = periodOf(present)
    const changePeriod = (first: string, last: string) =>
      change(first + last === '' ? '' : `${first}~${last}`)
    return [
      <DateField
        {...dateTexts}
        key={`${slot}-from`}
        label={t.from(name)}
        value={from}
        onChange={(day) => changePeriod(day, to)}
      />,
      <DateField
        {...dateTexts}
        key={`${slot}-to`}
        label={t.to(name)}
        value={to}
        onChange={(day) => changePeriod(from, day)}
      />,
    ]
  })
}
