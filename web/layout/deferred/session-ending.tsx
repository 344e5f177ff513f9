import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LOG_OUT } from '../../routes/return-to.ts'
import { useSessionUserId } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type SessionLimits, useFromLimits } from './session-limits.ts'
import { pollSession } from './session-watch.ts'
import styles from './deferred.module.css'
import { useLateTexts } from './texts.ts'
import { lastTyped } from './use-activity.ts'

/** Seconds before the end of the session in which the countdown is shown. */
const WARN_SECONDS = 120
/** Seconds before the end in which the countdown interrupts a user who is typing, too. */
const SPARE_TYPING_SECONDS = 60
/** Milliseconds after a key in which the user counts as typing. */
const TYPING_MS = 2_000
/** Milliseconds between the polls of a session whose time has run out, until the server responds. */
const RETRY_MS = 5_000

/** Returns the time at which a session ends, idle or absolute. */
const endOf = ({ idleEndsAt, absoluteEndsAt }: SessionLimits) => Math.min(idleEndsAt, absoluteEndsAt)

/**
 * Counts down the last two minutes of a session in a dialog (rules/frame#session-ending). Its buttons extend the
 * session or log out; if the absolute limit is near, they offer a new login (`onSignIn`) or dismiss the dialog. Waits
 * for a pause in typing until 60 seconds are left. Closes when another tab extends the session.
 */
export function SessionEnding({ onSignIn }: { onSignIn: () => void }) {
  const t = useLateTexts()
  const router = useRouter()
  const isSignedIn = useSessionUserId() !== null
  const left = useFromLimits((limits, now) => {
    const seconds = Math.max(0, Math.ceil((endOf(limits) - now) / 1000))
    return seconds <= WARN_SECONDS ? seconds : undefined
  })
  const absoluteEnd = useFromLimits(({ absoluteEndsAt, idleEndsAt }) =>
    absoluteEndsAt <= idleEndsAt ? absoluteEndsAt : undefined,
  )
  const isNear = isSignedIn && left !== undefined
  // Poll first: another call may have restarted the idle timer.
  const [isConfirmed, setConfirmed] = useState(false)
  const [isPending, setPending] = useState(false)
  const [dismissed, setDismissed] = useState<number>()

  useEffect(() => {
    if (!isNear) return
    let isCanceled = false
    void pollSession().finally(() => !isCanceled && setConfirmed(true))
    return () => {
      isCanceled = true
      setConfirmed(false)
    }
  }, [isNear])

  const hasEnded = isNear && left === 0
  useEffect(() => {
    if (!hasEnded) return
    // The server's clock decides. Without a response the session has not ended.
    void pollSession(false)
    const timer = setInterval(() => void pollSession(false), RETRY_MS)
    return () => clearInterval(timer)
  }, [hasEnded])

  const isDismissed = absoluteEnd !== undefined && absoluteEnd === dismissed
  const isTyping = useFromLimits(
    (limits, now) => now - lastTyped() < TYPING_MS && endOf(limits) - now > SPARE_TYPING_SECONDS * 1000,
  )
  const [isShown, setShown] = useState(false)
  const mayShow = isNear && isConfirmed && !isDismissed
  if (isShown !== (mayShow && (isShown || !isTyping))) setShown(mayShow && (isShown || !isTyping))
  if (!isShown || left === undefined) return null

  async function stay(): Promise<void> {
    setPending(true)
    await pollSession(true)
    setPending(false)
  }
  const isFinal = absoluteEnd !== undefined
  const dismiss = () => (isFinal ? setDismissed(absoluteEnd) : void stay())
  return (
    <Dialog
      title={t.endingTitle}
      isUrgent
      onClose={dismiss}
      footer={
        isFinal ? (
          <>
            <Button onClick={dismiss}>{t.later}</Button>
            <Button
              variant="primary"
              data-first-focus
              onClick={() => {
                dismiss()
                onSignIn()
              }}
            >
              {t.signInNow}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={() => void router.navigate(LOG_OUT)}>{t.logout}</Button>
            <Button variant="primary" data-first-focus isPending={isPending} onClick={() => void stay()}>
              {t.stay}
            </Button>
          </>
        )
      }
    >
      <p>{isFinal ? t.endingAnyway : t.endingText}</p>
      {/* Hidden from screen readers, which would read it every second. */}
      <p className={styles.clock} aria-hidden>
        {t.timeLeft} <strong>{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`}</strong>
      </p>
    </Dialog>
  )
}
