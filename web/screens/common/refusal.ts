import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError, type CallErrorCode } from '../../api/call-error.ts'
import { dialogs } from '../../ui/dialogs.ts'

/**
 * Tells a refused call in an alert with the server's `msg` (spec §8) unless the shared handling has told
 * it already.
 * @throws what is no refusal: a defect
 */
export async function tellRefusal(error: unknown): Promise<void> {
  if (!(error instanceof CallError)) throw error
  if (!error.isHandled) await dialogs.alert({ message: error.msg })
}

/**
 * Like `tellRefusal`, and puts the words on the field they are about: the one that the server names, or
 * the one that the code is about. Nothing that was typed is touched.
 */
export async function tellRefusalOnField<Values extends FieldValues>(
  error: unknown,
  form: UseFormReturn<Values>,
  fieldOf: Partial<Record<CallErrorCode, FieldPath<Values>>>,
): Promise<void> {
  const field = error instanceof CallError ? (fieldOf[error.code] ?? named(error, form)) : undefined
  if (error instanceof CallError && field !== undefined) {
    form.setError(field, { type: 'server', message: error.msg })
  }
  await tellRefusal(error)
  if (field !== undefined) form.setFocus(field)
}

function named<Values extends FieldValues>(error: CallError, form: UseFormReturn<Values>) {
  const field = error.field as FieldPath<Values> | undefined
  return field !== undefined && field in form.getValues() ? field : undefined
}
