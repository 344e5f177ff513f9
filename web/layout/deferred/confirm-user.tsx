import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
} from 'react'
import { createPortal } from 'react-dom'
import { checkFactor, checkPassword, readCheck } from '../../../contract/account.ts'
import { confirmation as en } from '../../../contract/messages/en/confirmation.ts'
import { confirmation as ko } from '../../../contract/messages/ko/confirmation.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { handleCallError } from '../../api/error-handling.ts'
import { retryText } from '../../api/show-refusal.ts'
import { createTexts, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SsoConfirmation } from '../sso-confirmation.tsx'
import styles from './confirm-user.module.css'
import late from './deferred.module.css'

const useTexts = createTexts({ ko, en })

const FactorForm = lazy(() =>
  import('../../screens/account/second-step.tsx').then((module) => ({ default: module.FactorForm })),
)

/** The end of the dialog. */
interface Props {
  /** Ends the dialog. The argument tells whether the user has reauthenticated. */
  finish: (isConfirmed: boolean) => void
}

/**
 * Shows the dialog of a reauthentication (rules/account#confirmation), over forms, dialogs and overlays alike: by the
 * second factor if there is one, otherwise by the password or at an identity provider.
 */
export function ConfirmUser({ finish }: Props) {
  const t = useTexts()
  const {
    data: ways,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: [readCheck.path],
    queryFn: () => call(readCheck, {}, { inline: 'everything' }),
    gcTime: 0,
    // Each request replaces the challenge for a passkey.
    staleTime: Infinity,
  })
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const leadId = useId()
  const isFactor = ways !== undefined && ways.factors.length > 0

  /**
   * Ends the dialog without a reauthentication if the session has expired, and lets the global error handling show
   * that.
   * @returns whether the session has expired
   */
  function endIfExpired(failure: CallError): boolean {
    if (failure.status !== 401) return false
    finish(false)
    handleCallError(failure)
    return true
  }
  const leave = useEffectEvent(() => error !== null && endIfExpired(error))
  useEffect(() => {
    if (error !== null) leave()
  }, [error])

  useLayoutEffect(() => {
    // The browser's own modal covers an overlay that waits for the call, and gives the focus back.
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])

  return createPortal(
    // A dialog of react-aria below leaves the focus to what says that it is above.
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-react-aria-top-layer="true"
      aria-labelledby={titleId}
      aria-describedby={leadId}
      onCancel={(event) => {
        event.preventDefault()
        finish(false)
      }}
    >
      <h2 id={titleId}>{isFactor ? t.factorTitle : t.title}</h2>
      <p id={leadId} className={late.lead}>{`${isFactor ? t.factorLead : t.lead}\n${t.detail}`}</p>
      {error !== null && (
        <ErrorState
          message={error.message}
          retryLabel={t.retry}
          onRetry={() => void refetch()}
          isPending={isFetching}
        />
      )}
      {ways === undefined ? (
        <Button onClick={() => finish(false)}>{t.cancel}</Button>
      ) : isFactor ? (
        <Suspense>
          <FactorForm
            challenge={ways}
            send={async (given) => {
              await call(checkFactor, given, { inline: 'everything' })
              finish(true)
            }}
            isFinal={({ status }) => status === 401}
            onBack={(failure) => {
              if (failure === undefined || !endIfExpired(failure)) finish(false)
            }}
            backLabel={t.cancel}
            passkeyLabel={t.passkey}
          />
        </Suspense>
      ) : (
        <>
          <PasswordQuestion finish={finish} endIfExpired={endIfExpired} />
          <SsoConfirmation providers={ways.providers} onDone={() => finish(true)} />
        </>
      )}
    </dialog>,
    document.body,
  )
}

/**
 * Asks for the password (`checkPassword`), and shows a refusal, with the time of the next attempt, at the field. An
 * expired session ends the dialog.
 */
function PasswordQuestion({ finish, endIfExpired }: Props & { endIfExpired: (error: CallError) => boolean }) {
  const t = useTexts()
  const { account, fields, validation } = usePortalMessages()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)

  useLayoutEffect(() => input.current?.focus(), [])

  function showProblem(text: string): void {
    setProblem(text)
    input.current?.focus()
    input.current?.select()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isPending) return
    if (password === '') return showProblem(validation.required)
    setPending(true)
    setProblem(undefined)
    try {
      await call(checkPassword, { password }, { inline: 'everything' })
      finish(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (endIfExpired(error)) return
      const { message, retryAfterSeconds: seconds } = error
      showProblem(seconds === undefined ? message : `${message}\n${retryText(seconds)}`)
    } finally {
      setPending(false)
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={input}
        label={fields.password}
        type="password"
        value={password}
        onChange={setPassword}
        errorMessage={problem}
        reveal={{ show: account.showPassword, hide: account.hidePassword }}
        autoComplete="current-password"
      />
      <div className={late.buttons}>
        <Button onClick={() => finish(false)} isDisabled={isPending}>
          {t.cancel}
        </Button>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t.confirm}
        </Button>
      </div>
    </form>
  )
}
