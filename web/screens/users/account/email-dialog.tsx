import * as z from 'zod/mini'
import { email } from '../../../../contract/fields.ts'
import { accountReason, REASON_MAX, requestEmail } from '../../../../contract/users.ts'
import { useMailingCall } from '../../../api/query.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { EmailOfPerson } from '../record/email-field.tsx'
import type { UserRecord } from '../record/form-values.ts'
import { useAct } from './use-act.ts'
import layout from '../../../ui/layout.module.css'

const correction = z.strictObject({ email, reason: accountReason })

interface Props {
  record: UserRecord
  onChanged: () => Promise<void>
  onClose: () => void
}

/** The address that somebody is asked to confirm as the account's (rules/users#e-mail-corrected). */
export function EmailDialog({ record: { userId, email: present }, onChanged, onClose }: Props) {
  const t = usePortalMessages().users.account
  const request = useMailingCall(requestEmail)
  const form = useSchemaForm(correction, { email: '', reason: '' }, 'onSubmit')
  const submit = useAct(
    form,
    async (values: z.output<typeof correction>) => {
      const { msg } = await request.mutateAsync({ userId, ...values })
      return msg || t.email.done(values.email)
    },
    { onChanged, onClose },
    { EMAIL_TAKEN: 'email' },
  )
  return (
    <FormDialog
      title={t.email.title}
      about={userId}
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.email.submit}
      className={layout.stack}
    >
      <p>{t.email.lead(present)}</p>
      <EmailOfPerson label={t.email.newEmail} isFirst />
      <BoundText
        name="reason"
        label={t.reason}
        description={t.reasonHint}
        maxLength={REASON_MAX}
        autoComplete="off"
      />
    </FormDialog>
  )
}
