import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type FormEvent } from 'react'
import { flushSync } from 'react-dom'
import { login } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { retryText } from '../../api/show-refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import {
  endSession,
  isLoggedOutElsewhere,
  isSessionPaused,
  resumeSession,
  startSession,
} from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { rememberFocus } from '../../ui/dialogs.ts'
import { TextField } from '../../ui/text-field.tsx'
import { returnStateFor, LOG_OUT } from '../../routes/return-to.ts'
import styles from './deferred.module.css'
import { useLateTexts } from './texts.ts'

const SecondStep = lazy(() =>
  import('../../screens/account/second-step.tsx').then((module) => ({ default: module.SecondStep })),
)
const PasswordForm = lazy(() =>
  import('../../screens/account/password-form.tsx').then((module) => ({ default: module.PasswordForm })),
)

/** User of the page and the results of the dialog. */
interface Props {
  /** Login ID of the user whose page this is. */
  person: string
  /** Called after the login: the page continues. */
  onDone: () => void
  /** Called if the session is still valid and the user does not want to log in again now. */
  onClose: () => void
}

/**
 * Shows the dialog that logs in again over the page, which stays unchanged (rules/frame#signing-in-again), with second
 * factor and password change if they are due. Shows a refusal in the dialog. A login of another user, after a question,
 * replaces the session and redirects to /main. While the session is paused the user can also leave for /login, after a
 * question.
 */
export function SignInAgain({ person, onDone, onClose }: Props) {
  const t = useLateTexts()
  const { account, validation } = usePortalMessages()
  const router = useRouter()
  // Record the focus before the dialog takes it. By now an overlay has returned it to the button of the failed action.
  useState(rememberFocus)
  const [userId, setUserId] = useState(person)
  const [password, setPassword] = useState('')
  const [step, setStep] = useState<'sign-in' | 'other' | 'leave' | 'second' | 'password'>('sign-in')
  const [ticket, setTicket] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [wasSent, setSent] = useState(false)
  const [isPending, setPending] = useState(false)
  const idInput = useRef<HTMLInputElement>(null)
  const passwordInput = useRef<HTMLInputElement>(null)
  const isPaused = isSessionPaused()
  const isLoggedOut = isLoggedOutElsewhere()
  const isOther = userId.trim().toLowerCase() !== person

  async function submit(): Promise<void> {
    setSent(true)
    if (userId.trim() === '') return idInput.current?.focus()
    if (password === '') return passwordInput.current?.focus()
    if (isOther && step === 'sign-in') return setStep('other')
    setPending(true)
    setRefusal(undefined)
    try {
      await goOn(await call(login, { loginId: userId, password }, { inline: 'everything' }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.ticket === undefined) return askAgain(error)
      setTicket(error.ticket)
      setStep('second')
    } finally {
      setPending(false)
    }
  }

  /** Continues the page with the new session, after a temporary password was changed; for another user opens /main. */
  async function goOn(session: OutputOf<typeof login>): Promise<void> {
    if (session.userId !== person) {
      startSession(session)
      // The route guard of /main knows which page must come first.
      await router.navigate({ to: '/main', replace: true })
      return onDone()
    }
    resumeSession(session)
    if (session.mustChangePassword) setStep('password')
    else onDone()
  }

  /** Returns to the fields for ID and password. */
  function askAgain(error?: CallError): void {
    flushSync(() => setStep('sign-in'))
    if (error !== undefined)
      setRefusal(
        [error.message, ...(error.retryAfterSeconds ? [retryText(error.retryAfterSeconds)] : [])].join('\n'),
      )
    passwordInput.current?.focus()
    passwordInput.current?.select()
  }

  /** Ends the session and opens /login, which returns to this page unless the user has logged out. */
  async function leave(): Promise<void> {
    const back = isLoggedOut ? {} : returnStateFor(router.state.location, person)
    endSession(!isLoggedOut)
    await router.navigate({ to: '/login', state: back })
    onDone()
  }

  const isChanging = step === 'password'
  const isAsking = step === 'other' || step === 'leave'
  return (
    // One dialog for all steps, so that it can restore the focus.
    <Dialog
      title={isChanging ? account.passwordHeading : t.signInTitle}
      width={isChanging ? 'wide' : 'default'}
      isUrgent
      isDismissable={!isPaused && !isChanging}
      onClose={onClose}
    >
      {isChanging && (
        <>
          <p className={styles.lead}>{t.passwordText}</p>
          <Suspense>
            <PasswordForm
              isFirst
              onChanged={onDone}
              onCancel={() => void router.navigate(LOG_OUT).then(onDone)}
              cancelLabel={account.logout}
            />
          </Suspense>
        </>
      )}
      {step === 'second' && (
        <Suspense>
          <SecondStep ticket={ticket} onDone={goOn} onBack={askAgain} />
        </Suspense>
      )}
      {isAsking && (
        <>
          <p className={styles.lead} role="alert">
            {step === 'other' ? t.otherText(person) : t.leaveText}
          </p>
          <div className={styles.buttons}>
            <Button
              // Focus the safe choice, for users who do not want to lose their input.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus
              onClick={() => {
                flushSync(() => setStep('sign-in'))
                idInput.current?.focus()
              }}
            >
              {t.goBack}
            </Button>
            <Button
              variant="danger"
              isPending={isPending}
              onClick={() => void (step === 'other' ? submit() : leave())}
            >
              {t.goOn}
            </Button>
          </div>
        </>
      )}
      <form
        hidden={step !== 'sign-in'}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          event.stopPropagation()
          void submit()
        }}
      >
        <p className={styles.lead}>
          {isLoggedOut ? t.loggedOutText : isPaused ? t.signInText : t.signInEarlier}
        </p>
        <TextField
          ref={idInput}
          label={account.id}
          value={userId}
          onChange={setUserId}
          errorMessage={wasSent && userId.trim() === '' ? validation.required : undefined}
          autoComplete="username"
        />
        <TextField
          ref={(input) => {
            passwordInput.current = input
            // The ID is already filled in.
            if (input !== null) input.dataset['firstFocus'] = ''
          }}
          label={account.password}
          type="password"
          value={password}
          onChange={setPassword}
          errorMessage={wasSent && password === '' ? validation.required : undefined}
          reveal={{ show: account.showPassword, hide: account.hidePassword }}
          autoComplete="current-password"
        />
        <p className={styles.refusal} role="alert">
          {refusal}
        </p>
        <div className={styles.buttons}>
          {isPaused ? (
            <Button onClick={() => setStep('leave')}>{isLoggedOut ? t.discard : t.toLogin}</Button>
          ) : (
            <Button onClick={onClose}>{t.later}</Button>
          )}
          <Button type="submit" variant="primary" isPending={isPending}>
            {account.login}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
