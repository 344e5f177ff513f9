import { useEffect } from 'react'
import { noteActivity } from '../../activity.ts'

/** Time of the last key press, in milliseconds since 1970. */
let typedAt = 0

/** Returns when a key was last pressed, in milliseconds since 1970; 0 if none was. */
export function lastTyped(): number {
  return typedAt
}

/** Events that count as activity: typing, reading on or pointing. */
const EVENTS = ['keydown', 'input', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'scroll'] as const

/**
 * Records the user's activity on the page (rules/account#activity) while the component is mounted. Ignores events that
 * scripts create.
 */
export function useActivity(): void {
  useEffect(() => {
    function note(event: Event): void {
      // Events from scripts are not user activity.
      if (!event.isTrusted) return
      noteActivity()
      if (event.type === 'keydown') typedAt = Date.now()
    }
    const options = { capture: true, passive: true }
    for (const event of EVENTS) window.addEventListener(event, note, options)
    return () => {
      for (const event of EVENTS) window.removeEventListener(event, note, options)
    }
  }, [])
}
