import { createListeners } from '../listeners.ts'

let isAway = false
const { subscribe, notify } = createListeners()

/** Returns whether the last request got no response at all (rules/frame#offline). */
export function isServerAway(): boolean {
  return isAway
}

/** Calls back when that changes. */
export const onConnectionChange = subscribe

/** Records whether the server responded. */
export function noteConnection(isReached: boolean): void {
  if (isAway === !isReached) return
  isAway = !isReached
  notify()
}
