import { useEffect, useSyncExternalStore } from 'react'
import { createListeners } from '../listeners.ts'

const { subscribe, notify } = createListeners()
/** Name of the shown record; undefined without one. */
let current: string | undefined

/** Sets the name and renders the components that show it. */
function set(name: string | undefined): void {
  current = name
  notify()
}

/**
 * Sets the name of the record on a page, for its title and breadcrumbs (rules/frame#titles), while the page is shown.
 * @param name undefined until the record is loaded
 */
export function useRecordName(name: string | undefined): void {
  useEffect(() => {
    set(name)
    return () => set(undefined)
  }, [name])
}

/**
 * Returns the name that the page has set by `useRecordName`; undefined on a page without a record, or until it is
 * loaded.
 */
export function useShownRecord(): string | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
