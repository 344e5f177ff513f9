import { useEffect, useEffectEvent } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError, type CallErrorCode } from '../api/call-error.ts'
import { showRefusal } from '../api/show-refusal.ts'

/** What a refusal does with a form. */
type FormWithFields<Values extends FieldValues> = Pick<
  UseFormReturn<Values>,
  'getValues' | 'setError' | 'setFocus'
>

/**
 * Shows a refusal and puts its message on the field that it is about: the one of its code, or the one that the server
 * names. Nothing that was typed is touched.
 * @throws what is no refusal: a defect
 */
export async function showRefusalOnField<Values extends FieldValues>(
  error: unknown,
  form: FormWithFields<Values>,
  fieldOf: Partial<Record<CallErrorCode, FieldPath<Values>>>,
): Promise<void> {
  const field = error instanceof CallError ? (fieldOf[error.code] ?? namedField(error, form)) : undefined
  await showRefusal(error)
  if (!(error instanceof CallError) || field === undefined) return
  // After the alert, which took the focus: on blur the schema checked the field and cleared its message.
  form.setError(field, { type: 'server', message: error.msg })
  form.setFocus(field)
}

/**
 * Tells why a read was refused (rules/frame#refusal). A failure of the server is left to the screen, which says so with a
 * retry.
 * @param afterwards where the screen goes then; the global error handling redirects by itself
 */
export function useShowRefusal(failure: CallError | null, afterwards?: () => void, title?: string): void {
  const goOn = useEffectEvent(() => afterwards?.())
  const show = useEffectEvent((error: CallError) => showRefusal(error, title))
  useEffect(() => {
    if (!failure || failure.isServerFailure) return
    const isShared = failure.isHandled
    void show(failure).then(() => (isShared ? undefined : goOn()))
  }, [failure])
}

function namedField<Values extends FieldValues>(
  error: CallError,
  form: FormWithFields<Values>,
): FieldPath<Values> | undefined {
  const isField = (name: string): name is FieldPath<Values> => name in form.getValues()
  return error.field !== undefined && isField(error.field) ? error.field : undefined
}
