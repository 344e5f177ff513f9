import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/* Where somebody is between the guide and a page that it led to (rules/settings#guide): kept for the tab. */

/** The page that the guide led to, while it stands or what it led on to. */
const AWAY = 'setup_away'
/** There once the guide was shown after the login: it does so once. */
const LED = 'setup_led'

const { subscribe, notify } = createListeners()
const isAway = () => sessionStorage.getItem(AWAY) !== null

// The menu loads pages anew: who comes to another one by it has left the guide.
const isReload = performance
  .getEntriesByType('navigation')
  .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload')
if (!isReload && sessionStorage.getItem(AWAY) !== location.pathname) sessionStorage.removeItem(AWAY)

/** Whether the guide led away from itself, and a way back is to be offered. */
export function useAwayFromGuide(): boolean {
  return useSyncExternalStore(subscribe, isAway)
}

/** The guide leads to the page of this path. */
export function leaveGuide(path: string): void {
  sessionStorage.setItem(AWAY, path)
  notify()
}

/** The guide is shown, or done with. */
export function returnToGuide(): void {
  sessionStorage.setItem(LED, 'Y')
  sessionStorage.removeItem(AWAY)
  notify()
}

/** Whether the guide has been shown since the login. */
export function wasLed(): boolean {
  return sessionStorage.getItem(LED) !== null
}
