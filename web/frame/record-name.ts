import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'

const { subscribe, notify } = createListeners()
let current: string | undefined

function set(name: string | undefined): void {
  current = name
  notify()
}

/** Sets the name of the record on a page, for its title and breadcrumbs (rules/frame#titles). Undefined until the record is loaded. */
export function useRecordName(name: string | undefined): void {
  useEffect(() => {
    set(name)
    return () => set(undefined)
  }, [name])
}

/** Returns the ID of the record on the screen. */
export function useShownRecord(): string | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
