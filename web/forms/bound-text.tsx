import { useController, type FieldError, type FieldPath, type FieldValues } from 'react-hook-form'
import { validationText } from '../../contract/validation.ts'
import { usePortalMessages } from '../language.tsx'
import { TextArea, type TextAreaProps } from '../ui/text-area.tsx'
import { TextField, type TextFieldProps } from '../ui/text-field.tsx'

/**
 * The fields of `web/ui` tied to the form around them (`FormProvider`): value, focus, and the schema's
 * message in the person's language. One place, so that every form of the product says errors alike. Lines of
 * text stand here, apart from selects and dates (bound-fields.tsx), whose lists and calendars weigh.
 */

/** What the form does for its fields. */
export type FormsBusiness = 'value' | 'onChange' | 'onBlur' | 'name' | 'ref' | 'errorMessage'

/** What a field of a form takes instead. */
export interface Bound<Values extends FieldValues> {
  name: FieldPath<Values>
  /** Called after the form has taken the new value, for what depends on it. */
  onChanged?: ((value: string) => void) | undefined
  /** Shown when the schema accepts the value: an error that only the screen knows. */
  ownError?: string | undefined
  /** Shown instead of 'required' where a person needs to know more. */
  requiredText?: string | undefined
}

/** The sentence of a form error; a refusal by the server is one already. */
function useErrorText(): (error: FieldError | undefined) => string | undefined {
  const messages = usePortalMessages()
  return (error) => (error?.message ? validationText(messages, error.message) : undefined)
}

/** The props that tie a field to the form around it. */
export function useBound<Values extends FieldValues>(bound: Bound<Values>) {
  const { name, onChanged, ownError, requiredText } = bound
  const { field, fieldState } = useController<Values>({ name })
  const errorText = useErrorText()
  return {
    name,
    ref: field.ref,
    // Left out of the default values, e.g. the admin card on one's own page.
    value: (field.value as string | undefined) ?? '',
    onBlur: field.onBlur,
    onChange: (value: string) => {
      field.onChange(value)
      onChanged?.(value)
    },
    errorMessage:
      fieldState.error?.message === 'required' && requiredText !== undefined
        ? requiredText
        : (errorText(fieldState.error) ?? ownError),
  }
}

/** A line of text of the form around it. */
export function BoundText<Values extends FieldValues>(
  props: Bound<Values> & Omit<TextFieldProps, FormsBusiness>,
) {
  return <TextField {...props} {...useBound<Values>(props)} />
}

/** Several lines of text of the form around it. */
export function BoundArea<Values extends FieldValues>(
  props: Bound<Values> & Omit<TextAreaProps, FormsBusiness>,
) {
  return <TextArea {...props} {...useBound<Values>(props)} />
}
