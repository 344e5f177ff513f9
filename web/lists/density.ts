import { useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'
import { sessionUserId } from '../session.ts'

const { subscribe, notify } = createListeners()
/** Returns the storage key of the choice of the user. */
const keyOf = () => `density_${sessionUserId() ?? ''}`
/** Returns whether the user chose low rows. */
const isCompact = () => localStorage.getItem(keyOf()) === 'compact'

/** Applies the user's choice to the row height of all lists. The measures depend on it (web/ui/tokens.css). */
function show(): void {
  if (isCompact()) document.documentElement.dataset['density'] = 'compact'
  else delete document.documentElement.dataset['density']
}

// Before the first table is drawn.
show()

/**
 * Returns whether the rows of all lists are low, and a function that toggles this. The browser stores the choice per
 * user (rules/lists#density).
 */
export function useDensity(): { isCompact: boolean; toggle: () => void } {
  return {
    isCompact: useSyncExternalStore(subscribe, isCompact),
    toggle: () => {
      if (isCompact()) localStorage.removeItem(keyOf())
      else localStorage.setItem(keyOf(), 'compact')
      show()
      notify()
    },
  }
}
