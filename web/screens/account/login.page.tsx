import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { login } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useMessages } from '../../language.tsx'
import { returnTarget } from '../../routes/return-to.ts'
import { usePrefetch } from '../../routes/prefetch.ts'
import { startSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { fieldErrors } from './field-errors.ts'
import { forgetId, rememberedId, rememberId } from './remembered-id.ts'

const loadSecondStep = () => import('./second-step.tsx')

/** Where a login leads. */
const NEXT = ['/main'] as const

/** The login screen (rules/account#login). After a refusal the person types the password again. */
export default function Login() {
  const messages = useMessages()
  const t = messages.account
  const router = useRouter()
  const { foundId } = useLocation({ select: ({ state }) => state })
  const [kept] = useState(rememberedId)
  const [isRemembered, setRemembered] = useState(kept !== '')
  const [userId, setUserId] = useState(foundId ?? kept)
  const [isKnown] = useState(userId !== '')
  const [userPw, setUserPw] = useState('')
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  /** The second step, while the login waits for it. */
  const [second, setSecond] = useState<{ ticket: string } & Awaited<ReturnType<typeof loadSecondStep>>>()
  const [hasCapsLock, setCapsLock] = useState(false)
  const idInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const input = { loginId: userId, password: userPw }
  usePrefetch(NEXT)
  const errors = wasSent ? fieldErrors(messages, login.input, input) : {}

  async function submit() {
    setSent(true)
    const wrong = fieldErrors(messages, login.input, input)
    if (wrong.loginId !== undefined) return idInput.current?.focus()
    if (wrong.password !== undefined) return passwordInput.current?.focus()
    setPending(true)
    try {
      await goOn(await call(login, input, { inline: 'unreachable' }))
    } catch (error) {
      const ticket = error instanceof CallError ? error.ticket : undefined
      if (ticket !== undefined) return goToSecondStep(ticket)
      setPending(false)
      await askAgain(error)
    }
  }

  async function goOn(session: OutputOf<typeof login>): Promise<void> {
    if (isRemembered) rememberId(session.userId)
    startSession(session)
    const { state } = router.state.location
    await router.navigate(
      session.mustChangePassword || session.mustSetUpFactor
        ? {
            to: session.mustChangePassword ? '/password' : '/second-factor',
            replace: true,
            state: { ...(state.next && { next: state.next }) },
          }
        : returnTarget(state, session.userId),
    )
  }

  async function goToSecondStep(ticket: string): Promise<void> {
    const part = await loadSecondStep().catch(() => undefined)
    setPending(false)
    if (part === undefined) void dialogs.notLoaded()
    else setSecond({ ...part, ticket })
  }

  async function askAgain(refusal: unknown): Promise<void> {
    await showRefusal(refusal)
    // Focused and selected: typing goes over it.
    passwordInput.current?.focus()
    passwordInput.current?.select()
  }

  function goBack(refusal?: CallError): void {
    flushSync(() => setSecond(undefined))
    if (refusal === undefined) passwordInput.current?.focus()
    else void askAgain(refusal)
  }

  const watchCapsLock = (event: KeyboardEvent) =>
    setCapsLock(event.target === passwordInput.current && event.getModifierState('CapsLock'))

  if (second !== undefined)
    return (
      <AccountCard heading={t.loginHeading} lead={t.secondLead}>
        <second.SecondStep ticket={second.ticket} onDone={goOn} onBack={goBack} />
      </AccountCard>
    )
  return (
    <AccountCard heading={t.loginHeading} lead={t.loginLead}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          ref={idInput}
          label={t.id}
          name="userId"
          value={userId}
          onChange={setUserId}
          errorMessage={errors.loginId}
          autoComplete="username"
          // A person comes here to type this, or else the password.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={!isKnown}
        />
        <TextField
          ref={passwordInput}
          label={t.password}
          name="userPw"
          type="password"
          value={userPw}
          onChange={setUserPw}
          errorMessage={errors.password}
          description={hasCapsLock ? <output>{t.capsLock}</output> : undefined}
          reveal={{ show: t.showPassword, hide: t.hidePassword }}
          autoComplete="current-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus={isKnown}
        />
        {foundId !== undefined && (
          <p className={cardStyles.found}>
            {t.foundReset}{' '}
            <Link to="/reset/pw" state={{ foundId }}>
              {t.resetPassword}
            </Link>
          </p>
        )}
        <Checkbox
          label={t.rememberId}
          value={isRemembered}
          onChange={(isWanted) => {
            setRemembered(isWanted)
            if (!isWanted) forgetId()
          }}
        />
        <Button type="submit" variant="primary" isWide isPending={isPending} className={cardStyles.submit}>
          {t.login}
        </Button>
      </form>
      <AccountLinks
        links={[
          { href: '/find/id', text: t.findId },
          { href: '/reset/pw', text: t.resetPassword },
          { href: '/signup', text: t.signUp },
        ]}
      />
    </AccountCard>
  )
}
