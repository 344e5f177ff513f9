import { useRouter } from '@tanstack/react-router'
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { login } from '../../../contract/account.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { retryText } from '../../api/show-refusal.ts'
import { useMessages } from '../../language.tsx'
import { usePrefetch } from '../../routes/prefetch.ts'
import { startSession } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { AccountCard, AccountLinks } from './account-card.tsx'
import cardStyles from './account-card.module.css'
import { fieldErrors } from './field-errors.ts'
import styles from './login.module.css'
import { useSecondsLeft } from './use-seconds-left.ts'

/** Where a login leads. */
const NEXT = ['/main'] as const

/** The login screen (rules/account#login); refusals stay beside the form, where a person can act on them. */
export default function Login() {
  const messages = useMessages()
  const t = messages.account
  const router = useRouter()
  const [userId, setUserId] = useState('')
  const [userPw, setUserPw] = useState('')
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [refusal, setRefusal] = useState<CallError>()
  const [hasCapsLock, setCapsLock] = useState(false)
  const idInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const input = { loginId: userId, password: userPw }
  usePrefetch(NEXT)
  const errors = wasSent ? fieldErrors(messages, login.input, input) : {}

  async function submit() {
    setSent(true)
    setRefusal(undefined)
    const wrong = fieldErrors(messages, login.input, input)
    if (wrong.loginId !== undefined) return idInput.current?.focus()
    if (wrong.password !== undefined) return passwordInput.current?.focus()
    setPending(true)
    try {
      const session = await call(login, input, { inline: 'unavailable' })
      startSession(session)
      await router.navigate({ to: session.mustChangePassword ? '/password' : '/main', replace: true })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (!error.isHandled) setRefusal(error)
      passwordInput.current?.select()
    } finally {
      setPending(false)
    }
  }

  const watchCapsLock = (event: KeyboardEvent) =>
    setCapsLock(event.target === passwordInput.current && event.getModifierState('CapsLock'))

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
          // A person comes here to type this.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
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
        />
        <div className={styles.refusal} role="alert">
          {refusal !== undefined && <Refusal key={refusal.message} error={refusal} />}
        </div>
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

function Refusal({ error }: { error: CallError }) {
  const t = useMessages().account
  const { retryAfterSeconds: seconds } = error
  const [deadline] = useState(() => seconds && Date.now() + seconds * 1000)
  const left = useSecondsLeft(deadline, seconds ?? 0)
  return (
    <>
      <WarningIcon size={18} />
      <p>
        {error.msg}
        {left !== undefined && (
          // Counts every second: read out once with the refusal, not at every tick.
          <span className={styles.retry} aria-live="off">
            {left === 0 ? t.retryNow : retryText(left)}
          </span>
        )}
      </p>
    </>
  )
}
