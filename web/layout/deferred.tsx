import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { noteActivity } from '../activity.ts'
import { onConnectionChange } from '../api/connection.ts'
import { showSessionExpired } from '../api/error-handling.ts'
import { createListeners } from '../listeners.ts'
import { isSessionPaused, onSessionPauseChange, sessionUserId } from '../session.ts'

/** Milliseconds between polls of the session (rules/account#session-watch). */
export const POLL_MS = 60_000

/** Milliseconds until a failed load is retried. */
const RETRY_MS = 4_000

/** True from the first request for the deferred layout. */
let isRequested = false
/** True while a session poll waits for the deferred layout. */
let isCheckPending = false
const { subscribe, notify } = createListeners()

/** Starts loading the deferred layout, unless that was started before. */
function requestLayout(): void {
  if (isRequested) return
  isRequested = true
  notify()
}

/** Returns whether a session poll came due before the deferred layout was loaded, and clears this. */
export function takePendingCheck(): boolean {
  const isPending = isCheckPending
  isCheckPending = false
  return isPending
}

/**
 * Renders the components of the layout that a first load does not need. Their code loads on the first input of the
 * user, when a session poll is due, when the session is paused and when the connection changes. If it cannot be loaded,
 * a paused session redirects to the login.
 */
export function DeferredLayout(): ReactNode {
  const [layout, setLayout] = useState<ReactNode>()
  const isMissing = layout === undefined
  useEffect(() => {
    if (!isMissing) return
    const onUse = () => {
      noteActivity()
      requestLayout()
    }
    const requestCheck = () => {
      if (document.visibilityState !== 'visible' || sessionUserId() === null) return
      isCheckPending = true
      requestLayout()
    }
    const stops = [onSessionPauseChange(requestLayout), onConnectionChange(requestLayout)]
    const timer = setInterval(requestCheck, POLL_MS)
    const events = ['pointerdown', 'keydown', 'input', 'offline'] as const
    for (const event of events) window.addEventListener(event, onUse)
    document.addEventListener('visibilitychange', requestCheck)
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      for (const event of events) window.removeEventListener(event, onUse)
      document.removeEventListener('visibilitychange', requestCheck)
    }
  }, [isMissing])
  const isLoading = useSyncExternalStore(subscribe, () => isRequested)
  useEffect(() => {
    if (!isLoading) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      void import('./deferred/deferred-layout.tsx').then(
        ({ LateFrame }) => setLayout(<LateFrame />),
        () => {
          if (isSessionPaused()) showSessionExpired()
          // The server may be unavailable, which is what the deferred layout would show.
          timer = setTimeout(load, RETRY_MS)
        },
      )
    load()
    return () => clearTimeout(timer)
  }, [isLoading])
  return layout
}
