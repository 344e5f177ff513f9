import { useState } from 'react'
import * as z from 'zod/mini'
import { setPassword } from '../../../contract/account.ts'
import { anyPassword, areSameText, newPassword } from '../../../contract/fields.ts'
import type { PasswordOwner } from '../../../contract/password-weakness.ts'
import { CallError } from '../../api/call-error.ts'
import { useCall } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { renewSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { FormActions, FormGrid } from '../../ui/form-grid.tsx'
import { BoundPassword, NewPasswordFields } from '../../forms/bound-password.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { confirmation } from '../../forms/password-confirmation.ts'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import styles from './password-form.module.css'
import { PasswordRules } from './password-rules.tsx'

/** Schema of the form: the fields of the call, and the repeated password, which is never sent (rules/account#password-change). */
const passwordChange = z
  .strictObject({
    /** Left out if the user just logged in with a temporary password. */
    currentPassword: z.optional(anyPassword),
    newPassword,
    confirmation,
  })
  .check(
    z.refine((form) => form.confirmation === '' || areSameText(form.newPassword, form.confirmation), {
      error: 'newPasswordMismatch',
      path: ['confirmation'],
    }),
  )

/** Validated values of the form. */
type PasswordChange = z.output<typeof passwordChange>

/** User of the form and its results. */
interface Props {
  /** Called when the password is changed, the new session stored and the success message shown. */
  onChanged: () => void | Promise<void>
  /** Called when the user cancels. If undefined, there is no cancel button. */
  onCancel?: (() => void) | undefined
  cancelLabel?: string | undefined
  /**
   * The user whose ID, phone number and email address the password must not contain; undefined if the page does not
   * know.
   */
  person?: PasswordOwner | undefined
  /**
   * True if a temporary password is replaced. Changes the text of the confirmation. The form asks for the temporary password only if
   * the server does (rules/account#temporary-password-once).
   */
  isFirst?: boolean | undefined
}

/**
 * Changes the user's password (rules/account#password-change): asks for the old and the new password and its
 * repetition, then for confirmation, then makes the call (`setPassword`) and stores the new session. Shows refusals at
 * the fields, such as PASSWORD_WRONG, PASSWORD_REUSED, PASSWORD_COMMON and PASSWORD_PERSONAL. Shared by the dialog of
 * /mypage and the forced change of a temporary password.
 */
export function PasswordForm({ onChanged, onCancel, cancelLabel, person, isFirst = false }: Props) {
  const t = usePortalMessages().account
  const change = useCall(setPassword)
  const [asksOld, setAsksOld] = useState(!isFirst)
  const form = useSchemaForm(passwordChange, {
    currentPassword: isFirst ? undefined : '',
    newPassword: '',
    confirmation: '',
  })

  async function submit({ currentPassword, newPassword: chosen }: PasswordChange): Promise<void> {
    if (!(await dialogs.confirm(t.changeQuestion))) return
    try {
      renewSession(await change.mutateAsync({ currentPassword, newPassword: chosen }))
    } catch (error) {
      if (error instanceof CallError && error.code === 'PASSWORD_NEEDED') {
        form.setValue('currentPassword', '')
        setAsksOld(true)
      }
      await showRefusalOnField(error, form, {
        PASSWORD_NEEDED: 'currentPassword',
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
          {asksOld && <BoundPassword name="currentPassword" label={t.oldPassword} autoFocus={!isFirst} />}
          <NewPasswordFields
            name="newPassword"
            labels={[t.newPassword, t.newPasswordAgain]}
            isFirst={isFirst}
          />
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
