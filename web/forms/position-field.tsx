import type { ComponentProps } from 'react'
import { type FieldPath, type FieldValues, useFormContext } from 'react-hook-form'
import { usePortalConfig } from '../api/config.ts'
import { BoundSelect, BoundText } from './bound-fields.tsx'
import { fixedChoices, fromNames } from './choices.ts'

/**
 * Shows the required field for a position: a select with the list of the company and the saved position, or a text field
 * without a list (rules/settings#positions). Must be inside a `Form` with the field `position`.
 */
export function PositionField<Values extends FieldValues>(
  props: Omit<ComponentProps<typeof BoundText<Values>>, 'name'>,
) {
  const { positions } = usePortalConfig()
  const { formState } = useFormContext<FieldValues>()
  const saved = String(formState.defaultValues?.['position'] ?? '')
  const name = 'position' as FieldPath<Values>
  if (positions === undefined) return <BoundText<Values> {...props} name={name} isRequired />
  const { label, description, isReadOnly } = props
  return (
    <BoundSelect<Values>
      name={name}
      label={label}
      description={description}
      isReadOnly={isReadOnly}
      choices={fixedChoices(fromNames([...new Set([...positions, saved].filter(Boolean))]))}
      isRequired
    />
  )
}
