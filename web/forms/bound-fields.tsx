import type { FieldValues } from 'react-hook-form'
import { useMessages } from '../language.tsx'
import { DateField, type DateFieldProps } from '../ui/date-field.tsx'
import { SelectField, type SelectFieldProps } from '../ui/select-field.tsx'
import { useBound, type Bound, type FormsBusiness } from './bound-text.tsx'

export { BoundText } from './bound-text.tsx'

/** A choice of the form around it. */
export function BoundSelect<Values extends FieldValues>(
  props: Bound<Values> & Omit<SelectFieldProps, FormsBusiness>,
) {
  return <SelectField {...props} {...useBound<Values>(props)} />
}

/** A date of the form around it; what is no date is told in the schema's words. */
export function BoundDate<Values extends FieldValues>(
  props: Bound<Values> & Omit<DateFieldProps, FormsBusiness | 'invalidMessage'>,
) {
  const bound = useBound<Values>(props)
  const { validation } = useMessages()
  return <DateField {...props} {...bound} invalidMessage={bound.errorMessage ?? validation.dateFormat} />
}
