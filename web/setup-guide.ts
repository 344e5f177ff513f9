import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/* Where somebody is between the guide and a page that it led to (rules/settings#guide): kept for the tab. */

/** There while a page stands that the guide led to. */
const AWAY = 'setup_away'
/** There once the guide was shown after the login: it does so once. */
const LED = 'setup_led'

const { subscribe, notify } = createListeners()
const isAway = () => sessionStorage.getItem(AWAY) !== null

/** Whether the guide led away from itself, and a way back is to be offered. */
export function useAwayFromGuide(): boolean {
  return useSyncExternalStore(subscribe, isAway)
}

/** The guide leads to a page. */
export function leaveGuide(): void {
  sessionStorage.setItem(AWAY, 'Y')
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
