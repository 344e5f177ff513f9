import { useEffect, useState, useSyncExternalStore } from 'react'
import { queryClient } from '../../api/query.ts'
import { isSessionPaused, onPersonChange, onSessionPauseChange, sessionUserId } from '../../session.ts'
import { restoreFocus } from '../../ui/dialogs.ts'
import { ToastList, ToastStatus } from '../../ui/toast-list.tsx'
import { clearToasts } from '../../ui/toasts.ts'
import styles from './deferred.module.css'
import { SessionEnding } from './session-ending.tsx'
import { useSessionWatch } from './session-watch.ts'
import { SignInAgain } from './sign-in-again.tsx'
import { useLateTexts } from './texts.ts'
import { useActivity } from './use-activity.ts'
import { useConnection } from './use-connection.ts'
import { onConfirmationChange, pendingConfirmation } from '../../api/reauthentication.ts'
import { ConfirmUser } from './confirm-user.tsx'

// The next user must not undo what the previous one did.
onPersonChange(clearToasts)

/** Milliseconds for which the page shows that it continues. */
const MESSAGE_MS = 4_000

/**
 * Renders the rarely needed components of the layout, whose code loads after the page: reauthentication, toasts, the
 * end of the session and the lost connection.
 */
export function LateFrame() {
  const t = useLateTexts()
  const [isSigningIn, setSigningIn] = useState(isSessionPaused)
  const [shownMessage, setShownMessage] = useState<'online' | 'signedIn'>()
  useActivity()
  useSessionWatch()

  /** Shows for MESSAGE_MS that the page continues, and repeats failed reads. */
  function goOn(what: typeof shownMessage): void {
    setShownMessage(what)
    readFailedAgain()
  }
  const isAway = useConnection(() => goOn('online'))

  useEffect(
    () =>
      onSessionPauseChange(() => {
        setSigningIn(isSessionPaused())
        if (!isSessionPaused()) readFailedAgain()
      }),
    [],
  )
  useEffect(() => {
    if (!isSigningIn) return
    // A little later, because react-aria does its own part in the next frame.
    return () => void setTimeout(restoreFocus, 60)
  }, [isSigningIn])
  useEffect(() => {
    if (shownMessage === undefined) return
    const timer = setTimeout(() => setShownMessage(undefined), MESSAGE_MS)
    return () => clearTimeout(timer)
  }, [shownMessage])

  return (
    <>
      {/* Over dialogs too, and heard there. */}
      <div className={styles.connection} aria-live="polite" data-react-aria-top-layer="true">
        {isAway ? t.offline : shownMessage && t[shownMessage]}
      </div>
      <Confirmation />
      <ToastStatus />
      <ToastList labels={t.toasts} />
      {isSigningIn ? (
        <SignInAgain
          person={sessionUserId() ?? ''}
          onDone={() => {
            setSigningIn(false)
            goOn('signedIn')
          }}
          onClose={() => setSigningIn(false)}
        />
      ) : (
        <SessionEnding onSignIn={() => setSigningIn(true)} />
      )}
    </>
  )
}

/** Repeats the failed reads that are shown. The user must repeat failed changes. */
function readFailedAgain(): void {
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** Shows the pending reauthentication over the page (rules/account#confirmation). One per page. */
function Confirmation() {
  const asked = useSyncExternalStore(onConfirmationChange, pendingConfirmation)
  return asked && <ConfirmUser finish={asked.finish} />
}
