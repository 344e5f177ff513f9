import { useEffect, useSyncExternalStore } from 'react'
import { useFormContext } from 'react-hook-form'
import { CERTIFY_SECONDS } from '../../../contract/account.ts'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { BoundText } from '../../forms/bound-text.tsx'
import styles from './verification-field.module.css'
import type { Certification, CertifiedValues } from './use-verification.ts'

/** Remaining seconds that a screen reader announces: often enough to warn, rarely enough not to disturb. */
const ANNOUNCED_AT = [60, 30, 10]

/** The email verification of the form. */
interface Props {
  certification: Certification
}

/**
 * Shows the email address to verify. After the code is sent it is read-only, with a button that returns to 'not
 * certified' to change it (rules/account#certification-screen).
 */
export function EmailField({
  certification,
  hint,
  label,
  isFirst = false,
}: Props & { hint: string; label?: string; isFirst?: boolean }) {
  const { account: t, fields } = usePortalMessages()
  const { isSent, isSettled, written, changeEmail } = certification
  return (
    <BoundText<CertifiedValues>
      name="email"
      label={label ?? fields.email}
      type="email"
      inputMode="email"
      autoComplete="email"
      isRequired
      isReadOnly={isSent}
      description={isSent ? written || t.noMail : hint}
      // Only if it is the first field that the user fills in.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={isFirst}
      action={
        isSent && (
          <Button onClick={changeEmail} isDisabled={isSettled}>
            {t.changeEmail}
          </Button>
        )
      }
    />
  )
}

/**
 * Shows the field for the verification code, its countdown, and the button that sends another code. Render it only
 * after a code is sent.
 */
export function CertificationField({ certification, hint }: Props & { hint: string }) {
  const { account: t } = usePortalMessages()
  const { clearErrors } = useFormContext<CertifiedValues>()
  const { deadline, isExhausted, isSettled, written, resend } = certification
  return (
    <BoundText<CertifiedValues>
      name="certificationCode"
      label={t.certifyNumber}
      inputMode="numeric"
      autoComplete="one-time-code"
      isRequired
      clean={sixDigits}
      // The error is about the previous code, not about the one being typed.
      onChanged={() => clearErrors('certificationCode')}
      // A single line, like the error that replaces it: a longer text would move the buttons below.
      description={written === '' ? hint : t.codeWritten}
      ownError={isExhausted ? t.triesUsedUp : undefined}
      trailing={<Countdown deadline={deadline} />}
      action={
        <Button onClick={resend} isDisabled={isSettled}>
          {t.resend}
        </Button>
      }
    />
  )
}

/** Returns the digits of a code. Pasted text may contain blanks and full-width or other digits. */
function sixDigits(text: string): string {
  return text.slice(0, 100).normalize('NFKC').replaceAll(/\D/g, '').slice(0, 6)
}

/** Shows the minutes and seconds until the deadline, highlighted in the last 30 seconds; nothing without one. */
function Countdown({ deadline }: { deadline: number | undefined }) {
  const t = usePortalMessages().account
  const left = useSecondsLeft(deadline, CERTIFY_SECONDS)
  if (left === undefined) return null
  return (
    // Not announced every second: CertificationClock announces what matters.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span
      role="timer"
      aria-label={t.timeLeft}
      data-low={left <= 30 || undefined}
      className={styles.countdown}
    >
      {minutesAndSeconds(left)}
    </span>
  )
}

/**
 * Ends a verification at its deadline, announces its state, and covers the page while a code is requested
 * (rules/account#certification-screen). Render it always, because a screen reader only announces changes.
 */
export function CertificationClock({ certification }: Props) {
  const t = usePortalMessages().account
  const { deadline, sendings, isSending, overlay, isSettled, expire } = certification
  const left = useSecondsLeft(deadline, CERTIFY_SECONDS)

  useEffect(() => {
    if (left === 0 && !isSettled && !isSending) expire()
  }, [left, isSettled, isSending, expire])

  const moment = ANNOUNCED_AT.findLast((seconds) => left !== undefined && left <= seconds)
  const announcement =
    moment !== undefined ? t.secondsLeft(moment) : sendings > 1 ? t.codeAnnouncedAgain : t.codeAnnounced
  return (
    <>
      <output className="visually-hidden">{left !== undefined && announcement}</output>
      {overlay}
    </>
  )
}

/**
 * Returns the seconds until a deadline: 0 after it, undefined without one. Computed from the clock each time, so that after sleep,
 * in a background tab or with a slow timer the value jumps but is correct.
 * @param most upper limit, in case the clock of the device was set back
 */
function useSecondsLeft(deadline: number | undefined, most: number): number | undefined {
  return useSyncExternalStore(subscribeToTime, () =>
    deadline === undefined
      ? undefined
      : Math.min(Math.max(Math.ceil((deadline - Date.now()) / 1000), 0), most),
  )
}

/**
 * Calls `tick` five times a second, and when the page becomes visible or hidden. Returns a function that stops this.
 */
function subscribeToTime(tick: () => void): () => void {
  // More often than a second, so that no number is skipped; React draws only when it changed.
  const timer = setInterval(tick, 200)
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** Formats seconds, e.g. 272 as 4:32 (rules/account#certification-screen). */
function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
