import { useSyncExternalStore } from 'react'
import { createListeners } from './listeners.ts'

/* Navigation between the guide and the pages that it links to (rules/settings#guide), stored for the tab. */

/** Path of the page that the user opened from the guide. */
const AWAY = 'setup_away'
/** Set after the guide was shown once since the login, so that it is not shown again. */
const SHOWN = 'setup_led'

const { subscribe, notify } = createListeners()
/** Returns whether the user opened this page from the guide. */
const isAway = () => sessionStorage.getItem(AWAY) !== null

/** True if the user reloaded this page. */
const isReload = performance
  .getEntriesByType('navigation')
  .some((entry) => entry instanceof PerformanceNavigationTiming && entry.type === 'reload')
// Links of the menu load a document. A user who opens another page by the menu has left the guide.
if (!isReload && sessionStorage.getItem(AWAY) !== location.pathname) sessionStorage.removeItem(AWAY)

/** Returns whether the user opened this page from the guide, so that it offers a link back. */
export function useAwayFromGuide(): boolean {
  return useSyncExternalStore(subscribe, isAway)
}

/**
 * Records that the user opened the page of this path from the guide. `useAwayFromGuide` returns true on this page then.
 */
export function leaveGuide(path: string): void {
  sessionStorage.setItem(AWAY, path)
  notify()
}

/**
 * Records that the guide is on the screen. Pages then show no link back to it, and it does not open by itself again in
 * this tab.
 */
export function returnToGuide(): void {
  sessionStorage.setItem(SHOWN, 'Y')
  sessionStorage.removeItem(AWAY)
  notify()
}

/** Returns whether this tab has shown the guide since the login. */
export function wasGuideShown(): boolean {
  return sessionStorage.getItem(SHOWN) !== null
}
