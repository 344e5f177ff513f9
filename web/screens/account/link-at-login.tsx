import { useState } from 'react'
import { login } from '../../../contract/account/session.ts'
import type { InputOf, OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { BoundText } from '../../forms/bound-fields.tsx'
import { BoundPassword } from '../../forms/bound-password.tsx'
import { Form, useSchemaForm } from '../../forms/form.tsx'
import { showRefusalOnField } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { AccountCard } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { SecondStep } from './second-step.tsx'
import { useSsoTexts } from './sso-texts.ts'

/** Ticket and results of the link. */
interface Props {
  /** The ticket of the identity that the login links. */
  ssoTicket: string
  onDone: (session: OutputOf<typeof login>) => void | Promise<void>
  onBack: () => void
}

/**
 * Asks for ID, password and second factor of an account, and links it with the identity of a provider
 * (rules/sso#first-login). `onDone` receives the session, which it must store.
 */
export function LinkAtLogin({ ssoTicket, onDone, onBack }: Props) {
  const t = useSsoTexts()
  const { account } = usePortalMessages()
  const [ticket, setTicket] = useState<string>()
  const [isPending, setPending] = useState(false)
  const form = useSchemaForm(login.input, { loginId: '', password: '' }, 'onSubmit')

  async function submit(values: InputOf<typeof login>): Promise<void> {
    setPending(true)
    try {
      await onDone(await call(login, { ...values, ssoTicket }, { inline: 'everything' }))
    } catch (error) {
      if (error instanceof CallError && error.ticket !== undefined) return setTicket(error.ticket)
      await showRefusalOnField(error, form, { LOGIN_FAILED: 'password', LOGIN_LOCKED: 'password' })
    } finally {
      setPending(false)
    }
  }

  return (
    <AccountCard heading={t.linkHeading} lead={ticket === undefined ? t.linkAtLoginLead : account.secondLead}>
      {ticket === undefined ? (
        <Form form={form} onSubmit={submit} className={layout.stack}>
          {/* The first field of a step that the user has just opened. */}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
          <BoundText name="loginId" label={account.id} autoComplete="username" isRequired autoFocus />
          <BoundPassword name="password" label={account.password} />
          <Button type="submit" variant="primary" isWide isPending={isPending}>
            {t.linkAndLogIn}
          </Button>
          <Button isWide onClick={onBack} className={cardStyles.provider}>
            {t.back}
          </Button>
        </Form>
      ) : (
        <SecondStep
          ticket={ticket}
          ssoTicket={ssoTicket}
          onDone={onDone}
          onBack={(error) => {
            setTicket(undefined)
            if (error !== undefined) void showRefusalOnField(error, form, {})
          }}
        />
      )}
    </AccountCard>
  )
}
