import type { DefaultValues, FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { CallError, type CallErrorCode } from '../api/call-error.ts'
import { showToast, type Success } from '../ui/toasts.ts'
import { useSchemaForm } from './form.tsx'
import { showRefusalOnField } from './show-refusal-on-field.ts'

/** Refusals that mean that a dialog is out of date, because another user or tab acted first. */
const OUTDATED: readonly CallErrorCode[] = [
  'RECORD_CHANGED',
  'USER_NOT_FOUND',
  'FORBIDDEN',
  'SESSION_NOT_FOUND',
  'FACTOR_NOT_FOUND',
  'RESET_NOT_FOUND',
  'RESET_WAITS',
  'SEARCH_NOT_FOUND',
  'SEARCHES_FULL',
]

/** Form, call and results of a dialog. */
interface Options<Values extends FieldValues, Checked extends FieldValues, Result> {
  schema: z.ZodMiniType<Checked, Values>
  initial: DefaultValues<Values>
  /** When a field shows its error; see `useSchemaForm`. */
  mode?: 'onTouched' | 'onSubmit'
  /** Makes the call. */
  submit: (values: Checked) => Promise<Result>
  /** Returns the success message; undefined if the screen shows the success itself. */
  done?: (result: Result, values: Checked) => string | Success | undefined
  /** Fields at which refusals are shown, by error code. */
  fieldOf?: Partial<Record<CallErrorCode, FieldPath<Values>>>
  /** Returns whether a refusal means that the dialog is out of date; by default the codes in OUTDATED. */
  isOutdated?: (code: CallErrorCode) => boolean
  /** Called after the call, or after a refusal that means that the dialog is out of date. Reads the changed data again. */
  onChanged?: () => Promise<unknown>
  onClose: () => void
}

/**
 * Returns the form of a `FormDialog` that makes one call. After the call it closes the dialog, calls `onChanged`, and
 * shows the success message as a toast. A refusal is shown in an alert and at its field, and keeps the dialog open,
 * unless the dialog is out of date: then it closes the dialog and calls `onChanged`.
 */
export function useDialogForm<Values extends FieldValues, Checked extends FieldValues, Result>(
  options: Options<Values, Checked, Result>,
): {
  form: UseFormReturn<Values, unknown, Checked>
  onSubmit: (values: Checked) => Promise<void>
  onClose: () => void
} {
  const { schema, initial, mode, submit, done, fieldOf = {}, onChanged, onClose } = options
  const { isOutdated = (code) => OUTDATED.includes(code) } = options
  const form = useSchemaForm(schema, initial, mode)

  async function onSubmit(values: Checked): Promise<void> {
    let result: Result
    try {
      result = await submit(values)
    } catch (error) {
      await showRefusalOnField(error, form, fieldOf)
      // The server has changed nothing then.
      if (!(error instanceof CallError && isOutdated(error.code))) return
      onClose()
      await onChanged?.()
      return
    }
    onClose()
    await onChanged?.()
    const success = done?.(result, values)
    if (success !== undefined) showToast(success)
  }

  return { form, onSubmit, onClose }
}
