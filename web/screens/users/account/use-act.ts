import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { CallError, type CallErrorCode } from '../../../api/call-error.ts'
import { showRefusalOnField } from '../../../forms/refusal.ts'
import { dialogs } from '../../../ui/dialogs.ts'

interface Afterwards {
  /** Called after the action, or after a refusal because another user acted first, so that the record is read again. */
  onChanged: () => Promise<void>
  onClose: () => void
}

/** After these the dialog is about something that is no longer so. */
const STALE: readonly string[] = [
  'RECORD_CHANGED',
  'USER_NOT_FOUND',
  'FORBIDDEN',
  'SESSION_NOT_FOUND',
  'FACTOR_NOT_FOUND',
  'RESET_NOT_FOUND',
  'RESET_WAITS',
]

/**
 * Returns the submit handler of a dialog of the card “account”: makes the call, reads the record again and shows the success
 * message.
 * @param fieldOf the fields that refusals are about
 */
export function useAct<Values extends FieldValues, Checked extends FieldValues>(
  form: UseFormReturn<Values, unknown, Checked>,
  act: (values: Checked) => Promise<string>,
  { onChanged, onClose }: Afterwards,
  fieldOf: Partial<Record<CallErrorCode, FieldPath<Values>>> = {},
): (values: Checked) => Promise<void> {
  return async (values) => {
    let done: string
    try {
      done = await act(values)
    } catch (error) {
      await showRefusalOnField(error, form, fieldOf)
      if (!(error instanceof CallError) || !STALE.includes(error.code)) return
      onClose()
      return onChanged()
    }
    onClose()
    await onChanged()
    await dialogs.alert({ tone: 'success', message: done })
  }
}
