import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent, type ReactNode } from 'react'
import {
  FACTOR,
  type Factor,
  finishLogin,
  type readCheck,
  readLogin,
} from '../../../contract/account/second-factor.ts'
import type { login } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { retryText } from '../../api/show-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import layout from '../../ui/layout.module.css'
import { ErrorState } from '../../ui/states.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { deviceFailure, obstacleAt, signWithPasskey, cancelPasskeyRequest } from './passkey-device.ts'
import { usePasskeyTexts } from './passkey-texts.ts'
import { secondStep as en } from '../../../contract/messages/en/second-step.ts'
import { secondStep as ko } from '../../../contract/messages/ko/second-step.ts'
import { createTexts } from '../../language.tsx'

/** Returns the texts of the second step, which load with it. */
const useSecondStepTexts = createTexts({ ko, en })

/** Tickets and results of the second step. */
interface Props {
  /** The login ticket of this login. */
  ticket: string
  /** The ticket that links the account with an identity, if the login has one. */
  ssoTicket?: string | undefined
  onDone: (session: OutputOf<typeof login>) => void | Promise<void>
  /** Returns to ID and password. Passes the refusal if the login cannot be finished. */
  onBack: (refusal?: CallError) => void
}

/**
 * Shows the second step of a login (rules/account#second-factor): a passkey, a code of the app, or a recovery code
 * (`finishLogin`), with a checkbox to trust the device if the user may. Passes the session to `onDone`, which must
 * store it. Calls `onBack` if the login cannot be finished, such as for an expired login ticket (TICKET_INVALID).
 */
export function SecondStep(props: Props) {
  const { ticket, ssoTicket, onBack } = props
  const t = useSecondStepTexts()
  const [challenge, setChallenge] = useState<OutputOf<typeof readLogin>>()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [readLogin.path, ticket],
    queryFn: () => call(readLogin, { ticket }, { inline: 'everything' }),
    // The login uses up the ticket and clears the cache. Another read would then reject a successful login.
    enabled: challenge === undefined,
    gcTime: 0,
    // With each call a passkey has to sign something else.
    staleTime: Infinity,
  })
  const [isTrusted, setTrusted] = useState(false)
  if (challenge === undefined && data !== undefined) setChallenge(data)
  const isOver = error?.code === 'TICKET_INVALID'
  const leave = useEffectEvent(() => onBack(error ?? undefined))
  useEffect(() => {
    if (isOver) leave()
  }, [isOver])

  if (challenge !== undefined)
    return (
      <FactorForm
        challenge={challenge}
        send={async (given) =>
          props.onDone(
            await call(
              finishLogin,
              {
                ticket,
                ...given,
                ...(isTrusted && { trustDevice: true }),
                ...(ssoTicket !== undefined && { ssoTicket }),
              },
              { inline: 'everything' },
            ),
          )
        }
        isFinal={({ code }) => code === 'TICKET_INVALID' || /^(ACCOUNT|SSO)_/.test(code)}
        onBack={onBack}
        backLabel={t.back}
        trust={
          challenge.mayTrustDevice && (
            <Checkbox label={t.trustDevice} value={isTrusted} onChange={setTrusted} />
          )
        }
      />
    )
  if (error === null || isOver) return <output className={layout.quiet}>{t.loading}</output>
  return (
    <ErrorState
      message={error.message}
      retryLabel={t.retry}
      onRetry={() => void refetch()}
      isPending={isFetching}
    />
  )
}

/** Factors of the user and results of the form. */
interface FactorFormProps {
  /** The kinds of factors that the user has, and the options for a passkey. */
  challenge: Omit<OutputOf<typeof readCheck>, 'providers'>
  /** Sends the factor that the user entered. Its errors are shown. */
  send: (given: { factor: Factor; proof: string }) => Promise<void>
  /** Returns whether the user cannot retry after this refusal. */
  isFinal: (refusal: CallError) => boolean
  onBack: (refusal?: CallError) => void
  backLabel: string
  /** The label of the button for a passkey; that of a login by default. */
  passkeyLabel?: string
  /** The checkbox that trusts this device, which no recovery code does (rules/account#trusted-devices). */
  trust?: ReactNode
}

/**
 * Asks for one of a user's second factors, to log in or to reauthenticate (rules/account#confirmation). Offers passkeys
 * only if this page can use them. Shows a refusal in the form, unless it is final: `onBack` receives it then.
 */
export function FactorForm({
  challenge,
  send,
  isFinal,
  onBack,
  backLabel,
  passkeyLabel,
  trust,
}: FactorFormProps) {
  const t = useSecondStepTexts()
  const passkeyTexts = usePasskeyTexts()
  const { factors, passkeyOptions, passkeysAt } = challenge
  const obstacle = obstacleAt(passkeysAt)
  const ways = factors.filter(
    (one) => one !== FACTOR.passkey || (obstacle === undefined && passkeyOptions !== ''),
  )
  const [factor, setFactor] = useState<Factor>(ways[0] ?? FACTOR.recovery)
  const [proof, setProof] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isPasskey = factor === FACTOR.passkey
  const isApp = factor === FACTOR.totp
  useEffect(() => cancelPasskeyRequest, [])

  /** Shows a refusal and focuses the field or the button. */
  function refuse(text: string): void {
    setRefusal(text)
    button.current?.focus()
    input.current?.focus()
    input.current?.select()
  }

  /** Returns the proof of the user's passkey; undefined after a failure, which it shows. */
  async function signed(): Promise<string | undefined> {
    try {
      return await signWithPasskey(passkeyOptions)
    } catch (error) {
      refuse(passkeyTexts[deviceFailure(error)])
      return undefined
    }
  }

  async function submit(): Promise<void> {
    if (!isPasskey && proof.trim() === '') return refuse(t.required)
    setPending(true)
    setRefusal(undefined)
    try {
      const given = isPasskey ? await signed() : proof
      if (given === undefined) return setPending(false)
      await send({ factor, proof: given })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setPending(false)
      if (isFinal(error)) return onBack(error)
      const wait = error.retryAfterSeconds
      refuse([error.message, ...(wait === undefined ? [] : [retryText(wait)])].join(' '))
    }
  }

  /** Switches to another kind of factor. */
  function change(to: Factor): void {
    cancelPasskeyRequest()
    setFactor(to)
    setProof('')
    setRefusal(undefined)
    input.current?.focus()
  }

  const use: Record<Factor, string> = {
    PASSKEY: passkeyTexts.use,
    TOTP: t.useApp,
    RECOVERY: t.useRecovery,
  }
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        event.stopPropagation()
        void submit()
      }}
    >
      {isPasskey ? (
        <div className={layout.lead}>
          <p>{passkeyTexts.loginLead}</p>
          <p className={layout.warning} role="alert">
            {refusal}
          </p>
        </div>
      ) : (
        <p className={layout.quiet}>{isApp ? t.appLead : t.codeLead}</p>
      )}
      {!isPasskey && (
        <TextField
          ref={input}
          label={isApp ? t.appCode : t.recoveryCode}
          value={proof}
          onChange={setProof}
          errorMessage={refusal}
          inputMode={isApp ? 'numeric' : 'text'}
          maxLength={40}
          autoComplete={isApp ? 'one-time-code' : 'off'}
          // The one thing to do here.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
      )}
      {factor !== FACTOR.recovery && trust}
      <Button
        // A new key for each method, so that its field or button takes the focus if it is the only control.
        key={isPasskey ? 'passkey' : 'code'}
        ref={isPasskey ? button : undefined}
        type="submit"
        variant="primary"
        isWide
        isPending={isPending}
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isPasskey}
      >
        {isPasskey ? (passkeyLabel ?? passkeyTexts.login) : t.submit}
      </Button>
      <div className={layout.row}>
        {ways
          .filter((one) => one !== factor)
          .map((one) => (
            <button key={one} type="button" className={layout.textButton} onClick={() => change(one)}>
              {use[one]}
            </button>
          ))}
        <button type="button" className={layout.textButton} onClick={() => onBack()}>
          {backLabel}
        </button>
      </div>
      {factors.includes(FACTOR.passkey) && !ways.includes(FACTOR.passkey) && (
        <p className={layout.hint}>
          {obstacle === undefined
            ? passkeyTexts.former
            : obstacle === 'elsewhere'
              ? passkeyTexts.elsewhere(passkeysAt)
              : passkeyTexts[obstacle]}
        </p>
      )}
      {factor === FACTOR.recovery && <p className={layout.hint}>{t.lost}</p>}
    </form>
  )
}
