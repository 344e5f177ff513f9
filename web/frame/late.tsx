import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { noteActivity } from '../activity.ts'
import { onConnectionChange } from '../api/connection.ts'
import { tellSessionOver } from '../api/shared-handling.ts'
import { createListeners } from '../listeners.ts'
import { isSessionHeld, onSessionHeld, sessionUserId } from '../session.ts'

/** How often the session is looked at (rules/account#session-watch). */
export const LOOK_EVERY_MS = 60_000

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
    const stops = [onSessionHeld(need), onConnectionChange(need)]
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
    import('./late/late-frame.tsx').then(
      ({ LateFrame }) => setPart(<LateFrame />),
      () => {
        isNeeded = false
        notify()
        if (isSessionHeld()) tellSessionOver()
      },
    )
  }, [isWanted])
  return part
}
