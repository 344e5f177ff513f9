import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'

const { subscribe, notify } = createListeners()
let current: string | undefined

function set(name: string | undefined): void {
  current = name
  notify()
}

/** Says whose record a page shows, for its title and its crumbs (rules/frame#titles). Undefined until it is there. */
export function useRecordName(name: string | undefined): void {
  useEffect(() => {
    set(name)
    return () => set(undefined)
  }, [name])
}

/** Whose record is on the screen. */
export function useShownRecord(): string | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
