import { useController, useFormContext, type FieldPath, type FieldValues } from 'react-hook-form'
import { Checkbox } from '../ui/checkbox.tsx'

/** Shows a checkbox that is bound to the surrounding form. */
export function BoundCheckbox<Values extends FieldValues>({
  name,
  label,
}: {
  name: FieldPath<Values>
  label: string
}) {
  const { control } = useFormContext<Values>()
  const { field } = useController<Values>({ control, name })
  return <Checkbox {...field} label={label} />
}
