import { ALL } from '../../contract/common.ts'
import { usePortalMessages } from '../language.tsx'
import { SelectField } from '../ui/select-field.tsx'
import { useChoiceTexts, type Choices } from './choices.ts'

interface Props {
  label: string
  choices: Choices
  value: string
  onChange: (value: string) => void
}

/**
 * Shows the select of a filter. If the list lacks the value, for example while it is loading, shows the value
 * itself, or 'all' for ALL.
 * @param choices the options, with ALL for a filter that can be off (`withAll`): the component adds none
 */
export function ChoiceFilter({ label, choices, value, onChange }: Props) {
  const { all } = usePortalMessages().lists
  const texts = useChoiceTexts(choices)
  return (
    <SelectField
      {...texts}
      label={label}
      options={choices.options}
      isLoading={choices.isLoading}
      fallbackLabel={value === ALL ? all : value}
      value={value}
      onChange={onChange}
    />
  )
}
