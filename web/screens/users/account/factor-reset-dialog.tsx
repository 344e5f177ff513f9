import * as z from 'zod/mini'
import {
  askFactorReset,
  confirmFactorReset,
  REASON_MAX,
  refuseFactorReset,
  withdrawFactorReset,
} from '../../../../contract/users.ts'
import { useMailingCall } from '../../../api/query.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import layout from '../../../ui/layout.module.css'
import { useFactorResetTexts } from './factor-reset-texts.ts'
import { useAct } from './use-act.ts'

/** An administrator's action on a reset. */
export type ResetAct = 'ask' | 'withdraw' | 'confirm' | 'refuse'

/** Actions that require a reason. */
const REASONED: readonly ResetAct[] = ['ask', 'refuse']

const reasoned = z.pick(askFactorReset.input, { reason: true })
const unreasoned = z.strictObject({ reason: z.string() })

interface Props {
  act: ResetAct
  /** Login ID of the user whose factors are reset. */
  userId: string
  resetId: string
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Asks for confirmation of an action, and for a reason if the action requires one. */
export function FactorResetDialog({ act, userId, resetId, ...afterwards }: Props) {
  const t = useFactorResetTexts()
  const words = t[act]
  const isReasoned = REASONED.includes(act)
  const ask = useMailingCall(askFactorReset)
  const decide = {
    withdraw: useMailingCall(withdrawFactorReset),
    confirm: useMailingCall(confirmFactorReset),
  }
  const refuse = useMailingCall(refuseFactorReset)
  const form = useSchemaForm(isReasoned ? reasoned : unreasoned, { reason: '' })
  const submit = useAct(
    form,
    async ({ reason }: { reason: string }) => {
      const { msg } = await (act === 'ask'
        ? ask.mutateAsync({ userId, reason })
        : act === 'refuse'
          ? refuse.mutateAsync({ userId, resetId, reason })
          : decide[act].mutateAsync({ userId, resetId }))
      return [words.done, msg].join('\n').trim()
    },
    afterwards,
  )
  return (
    <FormDialog
      title={words.title}
      about={userId}
      submitLabel={words.open}
      isDanger={act === 'confirm'}
      form={form}
      onSubmit={submit}
      onClose={afterwards.onClose}
      className={layout.stack}
    >
      <p>{words.lead}</p>
      {isReasoned && (
        <BoundText
          name="reason"
          label={t.reason}
          maxLength={REASON_MAX}
          autoComplete="off"
          isRequired
          // The user opens the dialog to type this.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
      )}
    </FormDialog>
  )
}
