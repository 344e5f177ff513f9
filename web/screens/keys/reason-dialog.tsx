import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { line } from '../../../contract/fields.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import layout from '../../ui/layout.module.css'
import { showToast, type Success } from '../../ui/toasts.ts'

interface Props<Result> {
  title: string
  /** Names the record in the storage key of the draft. */
  about: string
  submitLabel: string
  isDanger: boolean
  /** Label, hint and longest input of the field for the reason. */
  reason: { label: string; description?: string; maxLength: number }
  act: (reason: string) => Promise<Result>
  /** Message of a success. */
  done: string | Success | ((result: Result) => string)
  /** Reads the record again, after the action or after a refusal because another user acted first. */
  onChanged: () => Promise<void>
  onClose: () => void
  /** Explains what will happen. */
  children: ReactNode
}

/** Asks for a reason, and takes an action on a key, a token or a partner. */
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
