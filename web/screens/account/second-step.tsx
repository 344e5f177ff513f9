import { useRef, useState, type FormEvent } from 'react'
import { FACTOR, finishLogin } from '../../../contract/account/second-factor.ts'
import type { login } from '../../../contract/account/session.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { retryText } from '../../api/show-refusal.ts'
import { Button } from '../../ui/button.tsx'
import layout from '../../ui/layout.module.css'
import { TextField } from '../../ui/text-field.tsx'
import { useSecondStepTexts } from './second-step-texts.ts'

interface Props {
  /** What the login is finished with. */
  ticket: string
  onDone: (session: OutputOf<typeof login>) => void | Promise<void>
  /** Back to ID and password; with the refusal where the login cannot be finished any more. */
  onBack: (refusal?: CallError) => void
}

/** The second step of a login (rules/account#second-factor): the code of the app, or a recovery code. */
export function SecondStep({ ticket, onDone, onBack }: Props) {
  const t = useSecondStepTexts()
  const [factor, setFactor] = useState<'TOTP' | 'RECOVERY'>(FACTOR.totp)
  const [proof, setProof] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const isApp = factor === FACTOR.totp

  function refuse(text: string): void {
    setRefusal(text)
    input.current?.focus()
    input.current?.select()
  }

  async function submit(): Promise<void> {
    if (proof.trim() === '') return refuse(t.required)
    setPending(true)
    setRefusal(undefined)
    try {
      await onDone(await call(finishLogin, { ticket, factor, proof }, { inline: 'everything' }))
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setPending(false)
      if (error.code === 'TICKET_INVALID' || error.code.startsWith('ACCOUNT_')) return onBack(error)
      const wait = error.retryAfterSeconds
      refuse([error.msg, ...(wait === undefined ? [] : [retryText(wait)])].join(' '))
    }
  }

  function change(): void {
    setFactor(isApp ? FACTOR.recovery : FACTOR.totp)
    setProof('')
    setRefusal(undefined)
    input.current?.focus()
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
      <p className={layout.quiet}>{isApp ? t.appLead : t.codeLead}</p>
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
      <Button type="submit" variant="primary" isWide isPending={isPending}>
        {t.submit}
      </Button>
      <div className={layout.row}>
        <button type="button" className={layout.textButton} onClick={change}>
          {isApp ? t.useRecovery : t.useApp}
        </button>
        <button type="button" className={layout.textButton} onClick={() => onBack()}>
          {t.back}
        </button>
      </div>
      {!isApp && <p className={layout.hint}>{t.lost}</p>}
    </form>
  )
}
