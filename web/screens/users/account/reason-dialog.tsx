import * as z from 'zod/mini'
import { accountReason, REASON_MAX } from '../../../../contract/users.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { useAct } from './use-act.ts'
import layout from '../../../ui/layout.module.css'

const typed = z.strictObject({ reason: accountReason })

interface Props {
  title: string
  /** Login ID of the affected user. */
  about: string
  /** Explains what will happen. */
  lead: string
  submitLabel: string
  isDanger?: boolean
  /** Makes the call. @returns the success message */
  act: (reason: string) => Promise<string>
  /** Called after the action, or after a refusal because another user acted first, so that the record is read again. */
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Asks for confirmation of an administrator action on an account, and for an optional reason. */
export function ReasonDialog({ lead, act, onChanged, onClose, ...dialog }: Props) {
  const t = usePortalMessages().users.account
  const form = useSchemaForm(typed, { reason: '' })
  const submit = useAct(form, ({ reason }: z.output<typeof typed>) => act(reason), { onChanged, onClose })
  return (
    <FormDialog {...dialog} form={form} onSubmit={submit} onClose={onClose} className={layout.stack}>
      <p>{lead}</p>
      <BoundText
        name="reason"
        label={t.reason}
        description={t.reasonHint}
        maxLength={REASON_MAX}
        autoComplete="off"
        // The user opens the dialog to type this.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </FormDialog>
  )
}
