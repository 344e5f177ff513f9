import * as z from 'zod/mini'
import {
  otherInWords,
  REASON_MAX,
  SUSPENDED_FOR,
  suspensionFields,
  suspendUser,
} from '../../../../contract/users.ts'
import { useCall } from '../../../api/query.ts'
import { BoundSelect } from '../../../forms/bound-fields.tsx'
import { BoundText } from '../../../forms/bound-text.tsx'
import { fixedChoices } from '../../../forms/choices.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import { usePortalMessages } from '../../../language.tsx'
import type { UserRecord } from '../record/form-values.ts'
import { useAct } from './use-act.ts'
import layout from '../../../ui/layout.module.css'

const suspension = z.strictObject(suspensionFields).check(otherInWords)

interface Props {
  record: UserRecord
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Why an account is suspended by hand (rules/users#suspension-by-hand); both in one dialog. */
export function SuspendDialog({ record: { userId, name }, onChanged, onClose }: Props) {
  const t = usePortalMessages().users.account
  const suspend = useCall(suspendUser)
  const form = useSchemaForm(suspension, { suspendedFor: SUSPENDED_FOR.leave, reason: '' })
  const submit = useAct(
    form,
    async (values: z.output<typeof suspension>) => {
      await suspend.mutateAsync({ userId, ...values })
      return t.suspend.done(name)
    },
    { onChanged, onClose },
  )
  return (
    <FormDialog
      title={t.suspend.title}
      about={userId}
      isDanger
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={t.suspend.submit}
      className={layout.stack}
    >
      <p>{t.suspend.lead(name)}</p>
      <BoundSelect
        name="suspendedFor"
        label={t.suspend.why}
        choices={fixedChoices(
          Object.values(SUSPENDED_FOR).map((value) => ({ value, label: t.suspendedFor[value] })),
        )}
        isRequired
        // 'Other' needs words, the others do not.
        onChanged={() => void form.trigger('reason')}
      />
      <BoundText
        name="reason"
        label={t.suspend.words}
        description={t.reasonHint}
        maxLength={REASON_MAX}
        autoComplete="off"
      />
    </FormDialog>
  )
}
