import { createListeners } from '../listeners.ts'

let isAway = false
const { subscribe, notify } = createListeners()

/** Whether the last that was tried got no answer at all (rules/frame#offline). */
export function isServerAway(): boolean {
  return isAway
}

/** Calls back when that changes. */
export const onConnectionChange = subscribe

/** Says that no answer came, or that one did. */
export function noteConnection(isReached: boolean): void {
  if (isAway === !isReached) return
  isAway = !isReached
  notify()
}
