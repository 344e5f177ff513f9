import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { noteActivity } from '../activity.ts'
import { onConnectionChange } from '../api/connection.ts'
import { showSessionExpired } from '../api/error-handling.ts'
import { createListeners } from '../listeners.ts'
import { isSessionPaused, onSessionPauseChange, sessionUserId } from '../session.ts'

/** How often the session is looked at (rules/account#session-watch). */
export const LOOK_EVERY_MS = 60_000

/** Where it could not be loaded. */
const AGAIN_AFTER_MS = 4_000

let isNeeded = false
let isLookDue = false
const { subscribe, notify } = createListeners()

function need(): void {
  if (isNeeded) return
  isNeeded = true
  notify()
}

/** Whether the late part came because it was time to look at the session; once. */
export function takeLook(): boolean {
  const isDue = isLookDue
  isLookDue = false
  return isDue
}

/**
 * The part of the frame that is rare, and no part of a first load: it comes when somebody begins to use the page, when it
 * is time to look at the session, and when it has something to say. Without it a session that ended leads to the login
 * as ever.
 */
export function LatePart(): ReactNode {
  const [part, setPart] = useState<ReactNode>()
  const isMissing = part === undefined
  useEffect(() => {
    if (!isMissing) return
    const begin = () => {
      noteActivity()
      need()
    }
    const look = () => {
      if (document.visibilityState !== 'visible' || sessionUserId() === null) return
      isLookDue = true
      need()
    }
    const stops = [onSessionPauseChange(need), onConnectionChange(need)]
    const timer = setInterval(look, LOOK_EVERY_MS)
    const events = ['pointerdown', 'keydown', 'input', 'offline'] as const
    for (const event of events) window.addEventListener(event, begin)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      for (const stop of stops) stop()
      for (const event of events) window.removeEventListener(event, begin)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isMissing])
  const isWanted = useSyncExternalStore(subscribe, () => isNeeded)
  useEffect(() => {
    if (!isWanted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      void import('./late/late-frame.tsx').then(
        ({ LateFrame }) => setPart(<LateFrame />),
        () => {
          if (isSessionPaused()) showSessionExpired()
          // A server that is away may be what it would tell of.
          timer = setTimeout(load, AGAIN_AFTER_MS)
        },
      )
    load()
    return () => clearTimeout(timer)
  }, [isWanted])
  return part
}
