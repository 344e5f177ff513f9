import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import layout from '../../ui/layout.module.css'
import { showToast, type Success } from '../../ui/toasts.ts'

/** Texts and call of the dialog. */
interface Props<Result> {
  title: string
  /** Names the record in the storage key of the draft. */
  about: string
  submitLabel: string
  isDanger: boolean
  /** Label, hint and longest input of the field for the reason. */
  reason: { label: string; description?: string; maxLength: number }
  /** Makes the call. Rejects with a CallError if it is refused. */
  act: (reason: string) => Promise<Result>
  /** Message of a success, or a function that returns it. */
  done: string | Success | ((result: Result) => string)
  /** Reads the record again, after the action and after a refusal. */
  onChanged: () => Promise<void>
  onClose: () => void
  /** Explains what will happen, above the field. */
  children: ReactNode
}

/**
 * Shows a dialog that asks for a reason and runs `act` with it. After it, closes, calls `onChanged` and shows the
 * success as a toast. A refusal is shown in an alert, keeps the dialog open, and calls `onChanged`, too.
 */
export function ReasonDialog<Result>(props: Props<Result>) {
  const { reason, act, done, onChanged, onClose, children, ...dialog } = props
  const [schema] = useState(() => z.strictObject({ reason: line(reason.maxLength) }))
  const form = useSchemaForm(schema, { reason: '' }, 'onSubmit')

  async function submit(values: { reason: string }): Promise<void> {
    let success: string | Success
    try {
      const result = await act(values.reason)
      success = typeof done === 'function' ? done(result) : done
    } catch (error) {
      await showRefusalOnField(error, form, { INPUT_INVALID: 'reason' })
      await onChanged()
      return
    }
    onClose()
    await onChanged()
    showToast(success)
  }

  return (
    <FormDialog {...dialog} form={form} onSubmit={submit} onClose={onClose} className={layout.stack}>
      {children}
      <BoundText name="reason" {...reason} isRequired autoComplete="off" />
    </FormDialog>
  )
}
