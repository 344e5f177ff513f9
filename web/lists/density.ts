import { useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'
import { sessionUserId } from '../session.ts'

const { subscribe, notify } = createListeners()
const keyOf = () => `density_${sessionUserId() ?? ''}`
const isCompact = () => localStorage.getItem(keyOf()) === 'compact'

/** Rows of all lists as high as the person chose; measures follow it (web/ui/tokens.css). */
function show(): void {
  if (isCompact()) document.documentElement.dataset['density'] = 'compact'
  else delete document.documentElement.dataset['density']
}

// Before the first table is drawn.
show()

/** Whether the rows of every list are low, and the way to change it, which this browser keeps (rules/lists#density). */
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
