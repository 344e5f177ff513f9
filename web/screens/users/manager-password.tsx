import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { FormProvider, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { anyPassword } from '../../../contract/fields.ts'
import { CallError } from '../../api/call-error.ts'
import { BoundText } from '../../forms/bound-text.tsx'
import { showRefusalOnField } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-grid.tsx'
import layout from '../../ui/layout.module.css'

const typed = z.strictObject({ managerPassword: anyPassword })

interface Props {
  /** Makes the call with the password. */
  onConfirm: (password: string) => Promise<void>
  /** The call was refused for something else than the password: the form behind has to say it. */
  onRefused: (error: unknown) => void
  onClose: () => void
}

/**
 * The modal 'password confirm', 800 px wide (rules/users#manager-password): the acting manager's own password, and then
 * the call.
 */
export function ManagerPassword({ onConfirm, onRefused, onClose }: Props) {
  const { users, account, fields } = usePortalMessages()
  const t = users.register
  const form = useForm<z.input<typeof typed>>({
    defaultValues: { managerPassword: '' },
    resolver: standardSchemaResolver(typed),
  })

  async function submit({ managerPassword }: z.input<typeof typed>): Promise<void> {
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
    <Dialog title={t.managerTitle} width="wide" closeLabel={users.password.close} onClose={onClose}>
      <p className={layout.lead}>{t.managerText}</p>
      <FormProvider {...form}>
        <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
          <BoundText
            name="managerPassword"
            label={fields.managerPassword}
            type="password"
            autoComplete="current-password"
            reveal={{ show: account.showPassword, hide: account.hidePassword }}
            isRequired
            // The one thing to do here.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <FormActions>
            <Button onClick={onClose}>{users.password.cancel}</Button>
            <Button type="submit" variant="primary" isPending={form.formState.isSubmitting}>
              {users.gate.confirm}
            </Button>
          </FormActions>
        </form>
      </FormProvider>
    </Dialog>
  )
}

/** A wrong password, and a server that is away: the person tries again with the modal still open. */
function isMendedHere(error: unknown): boolean {
  return (
    error instanceof CallError &&
    (error.code === 'PASSWORD_WRONG' || error.code === 'LOGIN_LOCKED' || error.isUnavailable)
  )
}
