import { useController, type FieldError, type FieldPath, type FieldValues } from 'react-hook-form'
import { validationText } from '../../contract/validation.ts'
import { usePortalMessages } from '../language.tsx'
import { TextArea, type TextAreaProps } from '../ui/text-area.tsx'
import { TextField, type TextFieldProps } from '../ui/text-field.tsx'

/**
 * Fields of `web/ui`, bound to their form (`FormProvider`): value, focus, and the schema's message in the user's
 * language. Selects and dates are in bound-fields.tsx, because lists and calendars are large.
 */

/** Props that a bound field gets from its form. */
export type FormsBusiness = 'value' | 'onChange' | 'onBlur' | 'name' | 'ref' | 'errorMessage'

/** Props of a bound field. */
export interface BoundFieldProps<Values extends FieldValues> {
  name: FieldPath<Values>
  /** Called after the form has stored the new value. */
  onChanged?: ((value: string) => void) | undefined
  /** Message of the screen, shown if the schema accepts the value. */
  ownError?: string | undefined
  /** Replaces the message 'required'. */
  requiredText?: string | undefined
  /** Replaces the message of a wrong phone number. */
  formatText?: string | undefined
}

/** Returns a function that converts a form error to its message. The message of a refusal stays as it is. */
function useErrorText(): (error: FieldError | undefined) => string | undefined {
  const messages = usePortalMessages()
  return (error) => (error?.message ? validationText(messages, error.message) : undefined)
}

/**
 * Returns the props that bind a field to its form: name, value ('' for none), handlers, and the message of its
 * error. A message of the form comes before `ownError`.
 */
export function useBound<Values extends FieldValues>(bound: BoundFieldProps<Values>) {
  const { name, onChanged, ownError, requiredText, formatText } = bound
  const { field, fieldState } = useController<Values>({ name })
  const errorText = useErrorText()
  // The schema of a list that is typed as lines has errors of single lines.
  const error = [fieldState.error].flat().find(Boolean)
  const { message = '' } = error ?? {}
  const replaced = { required: requiredText, phoneNumberFormat: formatText }[message]
  return {
    name,
    ref: field.ref,
    // Undefined if the form has no default, such as for the admin card on a user's own page.
    value: (field.value as string | undefined) ?? '',
    onBlur: field.onBlur,
    onChange: (value: string) => {
      field.onChange(value)
      onChanged?.(value)
    },
    errorMessage: replaced ?? errorText(error) ?? ownError,
  }
}

/** Shows a text field that is bound to the surrounding form. */
export function BoundText<Values extends FieldValues>(
  props: BoundFieldProps<Values> & Omit<TextFieldProps, FormsBusiness>,
) {
  return <TextField {...props} {...useBound<Values>(props)} />
}

/** Shows a text area that is bound to the surrounding form. */
export function BoundArea<Values extends FieldValues>(
  props: BoundFieldProps<Values> & Omit<TextAreaProps, FormsBusiness>,
) {
  return <TextArea {...props} {...useBound<Values>(props)} />
}
