import * as z from 'zod/mini'
import { anyPassword } from '../../../../contract/fields.ts'
import { CallError } from '../../../api/call-error.ts'
import { BoundPassword } from '../../../forms/bound-password.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSchemaForm } from '../../../forms/form.tsx'
import { showRefusalOnField } from '../../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../../language.tsx'
import layout from '../../../ui/layout.module.css'

const typed = z.strictObject({ managerPassword: anyPassword })

interface Props {
  /** Explains why the password is required. */
  text: string
  /** The password of the previous attempt. */
  initial?: string
  /** Makes the call with the password. May ask for confirmation first. */
  onConfirm: (password: string) => Promise<void>
  /** Called if the call was refused for a reason other than the password. The form behind the modal must show it. */
  onRefused: (error: unknown) => void
  onClose: () => void
}

/**
 * Asks for the acting manager's own password in the modal “password confirm”, 800 px wide
 * (rules/users#manager-password), and makes the call with it. A wrong password, a lock and a missing response keep the
 * modal open; any other refusal goes to `onRefused`.
 */
export function ManagerPassword({ text, initial = '', onConfirm, onRefused, onClose }: Props) {
  const { users, fields } = usePortalMessages()
  const form = useSchemaForm(typed, { managerPassword: initial }, 'onSubmit')

  async function submit({ managerPassword }: z.output<typeof typed>): Promise<void> {
    try {
      await onConfirm(managerPassword)
    } catch (error) {
      if (!isMendedHere(error)) return onRefused(error)
      await showRefusalOnField(error, form, {
        PASSWORD_WRONG: 'managerPassword',
        LOGIN_LOCKED: 'managerPassword',
      })
    }
  }

  return (
    <FormDialog
      title={users.register.managerTitle}
      about=""
      isWide
      form={form}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={users.gate.confirm}
    >
      <p className={layout.lead}>{text}</p>
      {/* The one thing to do here. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <BoundPassword name="managerPassword" label={fields.managerPassword} autoFocus />
    </FormDialog>
  )
}

/**
 * Returns whether the user can retry in the open modal: after a wrong password, during a lock, or without a response.
 */
function isMendedHere(error: unknown): boolean {
  return (
    error instanceof CallError &&
    (error.code === 'PASSWORD_WRONG' || error.code === 'LOGIN_LOCKED' || error.status === 0)
  )
}
