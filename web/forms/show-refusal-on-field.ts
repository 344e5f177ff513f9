import { useEffect, useEffectEvent } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError, type CallErrorCode } from '../api/call-error.ts'
import { showRefusal } from '../api/show-refusal.ts'

/** The functions of a form that showing a refusal uses. */
type FormWithFields<Values extends FieldValues> = Pick<
  UseFormReturn<Values>,
  'getValues' | 'setError' | 'setFocus'
>

/**
 * Shows a refusal in an alert, then its message at a field: that of its error code, or the one that the server names.
 * Focuses the field and keeps all input.
 * @throws any error that is not a CallError: a defect
 */
export async function showRefusalOnField<Values extends FieldValues>(
  error: unknown,
  form: FormWithFields<Values>,
  fieldOf: Partial<Record<CallErrorCode, FieldPath<Values>>>,
): Promise<void> {
  const field = error instanceof CallError ? (fieldOf[error.code] ?? namedField(error, form)) : undefined
  await showRefusal(error)
  if (!(error instanceof CallError) || field === undefined) return
  // Only after the alert: it takes the focus, and on blur the schema clears the field's message.
  form.setError(field, { type: 'server', message: error.message })
  form.setFocus(field)
}

/**
 * Shows the refusal of a read in an alert (rules/frame#refusal). Ignores server failures, which the screen shows with a
 * retry.
 * @param afterwards navigates after the alert; not called if the global error handling redirects
 */
export function useShowRefusal(failure: CallError | null, afterwards?: () => void, title?: string): void {
  const goOn = useEffectEvent(() => afterwards?.())
  const show = useEffectEvent((error: CallError) => showRefusal(error, title))
  useEffect(() => {
    if (!failure || failure.isServerFailure) return
    const { isHandled } = failure
    void show(failure).then(() => (isHandled ? undefined : goOn()))
  }, [failure])
}

/** Returns the field that the server names in a refusal; undefined if the form does not have it. */
function namedField<Values extends FieldValues>(
  error: CallError,
  form: FormWithFields<Values>,
): FieldPath<Values> | undefined {
  const isField = (name: string): name is FieldPath<Values> => name in form.getValues()
  return error.field !== undefined && isField(error.field) ? error.field : undefined
}
