import { useSyncExternalStore } from 'react'
import { createListeners } from '../../../listeners.ts'

let isOpen = false
const { subscribe, notify } = createListeners()

/** Opens or closes the dialog of recent bulk changes. A toast opens it from any page. */
export function showRecentChanges(isWanted: boolean): void {
  isOpen = isWanted
  notify()
}

/** Returns whether the dialog of recent bulk changes is open. */
export function useIsRecentOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen)
}
