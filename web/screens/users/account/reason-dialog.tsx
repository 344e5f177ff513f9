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
  /** Whose account it is: a login ID. */
  about: string
  /** What will happen. */
  lead: string
  submitLabel: string
  isDanger?: boolean
  /** Makes the call; answers what is said when it is done. */
  act: (reason: string) => Promise<string>
  /** It was done, or refused because somebody else did something: the record is read again. */
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Asks before something is done for an account, and why; the words may be left out. */
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
        // A person comes here to type this.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
      />
    </FormDialog>
  )
}
