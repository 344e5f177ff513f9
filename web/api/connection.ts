import { createListeners } from '../listeners.ts'

/** True from a request without a response until `noteConnection` records a response. */
let isAway = false
const { subscribe, notify } = createListeners()

/**
 * Returns whether the server is away: the browser is offline, or a request got no response at all, until the server
 * responds to a poll (rules/frame#offline).
 */
export function isServerAway(): boolean {
  return isAway
}

/**
 * Registers a function that is called when the result of `isServerAway` changes. Returns a function that unregisters
 * it.
 */
export const onConnectionChange = subscribe

/**
 * Records whether the server responded to a request, and calls the listeners of `onConnectionChange` if that changed.
 */
export function noteConnection(isReached: boolean): void {
  if (isAway === !isReached) return
  isAway = !isReached
  notify()
}
