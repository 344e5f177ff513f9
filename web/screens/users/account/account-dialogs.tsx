import { fixedChoices } from '../../../forms/choices.ts'
import { BoundText } from '../../../forms/bound-text.tsx'
import { BoundSelect } from '../../../forms/bound-fields.tsx'
import { useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import { email } from '../../../../contract/fields.ts'
import {
  accountReason,
  liftSuspension,
  otherInWords,
  REASON_MAX,
  requestEmail,
  SUSPENDED_FOR,
  suspendUser,
  suspensionFields,
} from '../../../../contract/users.ts'
import { call, callWithMessage } from '../../../api/client.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useDialogForm } from '../../../forms/use-dialog-form.ts'
import { undoBy } from '../../../forms/undo.ts'
import { usePortalMessages } from '../../../language.tsx'
import { hasCachedFunction } from '../../../session.ts'
import type { Success } from '../../../ui/toasts.ts'
import { EmailOfPerson } from '../record/email-field.tsx'
import type { UserRecord } from '../record/form-values.ts'
import layout from '../../../ui/layout.module.css'

/** Schema of a dialog with a reason alone. */
const reasoned = z.strictObject({ reason: accountReason })
/** Schema of the suspension: its kind and a reason, which only the kind 'other' requires. */
const suspension = z.strictObject(suspensionFields).check(otherInWords)
/** Schema of the dialog that requests another email address. */
const correction = z.strictObject({ email, reason: accountReason })

interface DialogProps {
  /** Called after the action, or after a refusal because another user acted first, so that the record is read again. */
  onChanged: () => Promise<void>
  onClose: () => void
}

interface ReasonProps extends DialogProps {
  title: string
  /** Login ID of the affected user. */
  about: string
  /** Explains what will happen. */
  lead: string
  submitLabel: string
  isDanger?: boolean
  /** Makes the call. @returns the success message */
  act: (reason: string) => Promise<string | Success>
}

/**
 * Shows a dialog that explains an administrator action on an account, and asks for an optional reason. Its button
 * makes the call `act` and shows the success message; a refusal is shown in the dialog.
 */
export function ReasonDialog({ lead, act, onChanged, onClose, ...dialog }: ReasonProps) {
  const form = useDialogForm({
    schema: reasoned,
    initial: { reason: '' },
    submit: ({ reason }) => act(reason),
    done: (message) => message,
    onChanged,
    onClose,
  })
  return (
    <FormDialog {...dialog} {...form} className={layout.stack}>
      <p>{lead}</p>
      <ReasonField isFirst />
    </FormDialog>
  )
}

interface RecordProps extends DialogProps {
  record: UserRecord
}

/**
 * Shows a dialog that asks for the kind of suspension and a reason, and suspends the account
 * (rules/users#suspension-by-hand). The success message offers an undo if the account was not suspended before and the
 * user may lift the suspension.
 */
export function SuspendDialog({ record: { userId, name, suspended }, ...afterwards }: RecordProps) {
  const t = usePortalMessages().users.account.suspend
  const dialog = useDialogForm({
    schema: suspension,
    initial: { suspendedFor: SUSPENDED_FOR.leave, reason: '' },
    submit: (values) => call(suspendUser, { userId, ...values }),
    done: (_, { suspendedFor }) => {
      const mayLift = suspendedFor !== SUSPENDED_FOR.incident || hasCachedFunction('autho_admin_manage')
      // Lifting would also end a suspension for inactivity that existed before.
      const canUndo = !suspended && mayLift
      return {
        message: t.done(name),
        undo: canUndo
          ? undoBy(() => call(liftSuspension, { userId, reason: '' }), afterwards.onChanged)
          : undefined,
      }
    },
    ...afterwards,
  })
  return (
    <FormDialog
      {...dialog}
      title={t.title}
      about={userId}
      isDanger
      submitLabel={t.submit}
      className={layout.stack}
    >
      <p>{t.lead(name)}</p>
      <SuspensionFields />
    </FormDialog>
  )
}

/**
 * Shows a dialog that asks for a user's new email address and an optional reason, and mails its owner a request to
 * confirm it (rules/users#e-mail-corrected). The email changes only with the confirmation.
 */
export function EmailDialog({ record: { userId, email: present }, ...afterwards }: RecordProps) {
  const t = usePortalMessages().users.account.email
  const dialog = useDialogForm({
    schema: correction,
    initial: { email: '', reason: '' },
    mode: 'onSubmit',
    submit: (values) => callWithMessage(requestEmail, { userId, ...values }),
    done: ({ msg }, values) => msg || t.done(values.email),
    fieldOf: { EMAIL_TAKEN: 'email' },
    ...afterwards,
  })
  return (
    <FormDialog {...dialog} title={t.title} about={userId} submitLabel={t.submit} className={layout.stack}>
      <p>{t.lead(present)}</p>
      <EmailOfPerson label={t.newEmail} isFirst />
      <ReasonField />
    </FormDialog>
  )
}

interface ReasonFieldProps {
  label?: string
  /** True to focus the field when its dialog opens. */
  isFirst?: boolean
}

/**
 * Shows the text field `reason` of a form for an administrator action. The form's schema decides whether it is
 * required.
 */
export function ReasonField({ label, isFirst }: ReasonFieldProps) {
  const t = usePortalMessages().users.account
  return (
    <BoundText
      name="reason"
      label={label ?? t.reason}
      description={t.reasonHint}
      maxLength={REASON_MAX}
      autoComplete="off"
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isFirst}
    />
  )
}

/**
 * Shows the fields for the kind of a suspension and its reason. A change of the kind checks the reason again,
 * because only 'other' requires one.
 */
export function SuspensionFields() {
  const t = usePortalMessages().users.account
  const { trigger } = useFormContext()
  const choices = Object.values(SUSPENDED_FOR).map((value) => ({ value, label: t.suspendedFor[value] }))
  return (
    <>
      <BoundSelect
        name="suspendedFor"
        label={t.suspend.why}
        choices={fixedChoices(choices)}
        isRequired
        onChanged={() => void trigger('reason')}
      />
      <ReasonField label={t.suspend.words} />
    </>
  )
}
