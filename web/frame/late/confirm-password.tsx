import { useId, useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { createPortal } from 'react-dom'
import { checkPassword } from '../../../contract/account.ts'
import { confirmation as en } from '../../../contract/messages/en/confirmation.ts'
import { confirmation as ko } from '../../../contract/messages/ko/confirmation.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { handleShared } from '../../api/shared-handling.ts'
import { retryText } from '../../api/show-refusal.ts'
import { useLanguage, usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './confirm-password.module.css'
import late from './late.module.css'

interface Props {
  /** Told whether the person confirmed. */
  finish: (isConfirmed: boolean) => void
}

/**
 * Asks for the password before something dangerous (rules/account#confirmation), over forms, dialogs and overlays alike. Another
 * way to prove who one is stands beside the field.
 */
export function ConfirmPassword({ finish }: Props) {
  const t = { ko, en }[useLanguage().language]
  const { account, fields, validation } = usePortalMessages()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const leadId = useId()

  useLayoutEffect(() => {
    // The browser's own modal: it stands above an overlay that waits for the call, and gives the focus back.
    const shown = dialog.current
    shown?.showModal()
    input.current?.focus()
    return () => shown?.close()
  }, [])

  function tell(text: string): void {
    setProblem(text)
    input.current?.focus()
    input.current?.select()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isPending) return
    if (password === '') return tell(validation.required)
    setPending(true)
    setProblem(undefined)
    try {
      await call(checkPassword, { password }, { inline: 'everything' })
      finish(true)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.status === 401) {
        finish(false)
        return handleShared(error)
      }
      const { msg, retryAfterSeconds: seconds } = error
      tell(seconds === undefined ? msg : `${msg}\n${retryText(seconds)}`)
    } finally {
      setPending(false)
    }
  }

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
        if (!isPending) finish(false)
      }}
    >
      <form noValidate onSubmit={(event) => void submit(event)}>
        <h2 id={titleId}>{t.title}</h2>
        <p id={leadId} className={late.lead}>{`${t.lead}\n${t.detail}`}</p>
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
    </dialog>,
    document.body,
  )
}
