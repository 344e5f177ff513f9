import { useEffect } from 'react'
import { noteActivity } from '../../activity.ts'

let typedAt = 0

/** When a key was pressed last. */
export function lastTyped(): number {
  return typedAt
}

/** What somebody does who types, reads on or points. */
const EVENTS = ['keydown', 'input', 'pointerdown', 'pointermove', 'wheel', 'touchmove', 'scroll'] as const

/** Notes that somebody is busy at the page (rules/account#activity). */
export function useActivity(): void {
  useEffect(() => {
    function note(event: Event): void {
      // What a script does is nobody's activity.
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
