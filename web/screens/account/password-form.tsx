import * as z from 'zod/mini'
import { setPassword } from '../../../contract/account.ts'
import { anyPassword, areSameText, newPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'
import { useCall } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { renewSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { BoundPassword, NewPasswordFields } from '../../forms/bound-password.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { confirmation } from '../../forms/password-confirmation.ts'
import { showRefusalOnField } from '../../forms/refusal.ts'
import styles from './password-form.module.css'
import { PasswordRules } from './password-rules.tsx'

/** The wire's two fields and the confirmation, which stays in the page (rules/account#password-change). */
const passwordChange = z
  .strictObject({
    currentPassword: anyPassword,
    newPassword,
    confirmation,
  })
  .check(
    z.refine((form) => form.confirmation === '' || areSameText(form.newPassword, form.confirmation), {
      error: 'newPasswordMismatch',
      path: ['confirmation'],
    }),
  )

type PasswordChange = z.output<typeof passwordChange>

interface Props {
  /** Called when the password is changed, the new session stored and the success message shown. */
  onChanged: () => void | Promise<void>
  /** Another way out than changing it, at the left of the button. */
  onCancel?: (() => void) | undefined
  cancelLabel?: string | undefined
  /** The owner of the password, if the page knows it. */
  person?: PasswordOwner | undefined
  /** A temporary password is changed: nothing is reset. */
  isFirst?: boolean | undefined
}

/**
 * Changes the user's password (rules/account#password-change): asks for the old and the new password and its repetition, then for
 * confirmation, then makes the call. Shared by the modal of /mypage and the forced change of a temporary password.
 */
export function PasswordForm({ onChanged, onCancel, cancelLabel, person, isFirst = false }: Props) {
  const t = usePortalMessages().account
  const change = useCall(setPassword)
  const form = useSchemaForm(passwordChange, { currentPassword: '', newPassword: '', confirmation: '' })

  async function submit({ currentPassword, newPassword: chosen }: PasswordChange): Promise<void> {
    if (!(await dialogs.confirm(isFirst ? t.firstChangeQuestion : t.changeQuestion))) return
    try {
      renewSession(await change.mutateAsync({ currentPassword, newPassword: chosen }))
    } catch (error) {
      await showRefusalOnField(error, form, {
        PASSWORD_WRONG: 'currentPassword',
        LOGIN_LOCKED: 'currentPassword',
        PASSWORD_REUSED: 'newPassword',
        PASSWORD_COMMON: 'newPassword',
        PASSWORD_PERSONAL: 'newPassword',
      })
      return
    }
    await dialogs.alert({ tone: 'success', message: t.passwordChanged })
    await onChanged()
  }

  return (
    <Form form={form} onSubmit={submit} className={styles.container}>
      <div className={styles.columns}>
        <FormGrid columns={1} labels="top">
          {/* The form is all there is: in the modal and on the page of the forced change. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <BoundPassword name="currentPassword" label={t.oldPassword} autoFocus />
          <NewPasswordFields name="newPassword" labels={[t.newPassword, t.newPasswordAgain]} />
        </FormGrid>
        <PasswordRules name="newPassword" person={person} />
      </div>
      <FormActions>
        {onCancel && <Button onClick={onCancel}>{cancelLabel}</Button>}
        <Button type="submit" variant="primary" isPending={change.isPending}>
          {t.changePassword}
        </Button>
      </FormActions>
    </Form>
  )
}
