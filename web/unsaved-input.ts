import { useEffect } from 'react'

/** The dirty forms and the open dialogs of the page. */
const openInputs = new Map<object, { isUnsaved: boolean }>()

/** Returns whether the page has a dirty form or an open dialog, which a redirect would close. */
export function hasOpenInput(): boolean {
  return openInputs.size > 0
}

/** Returns whether the page has unsaved input. An open dialog without input has none. */
export function hasUnsavedInput(): boolean {
  return [...openInputs.values()].some(({ isUnsaved }) => isUnsaved)
}

/**
 * Registers a form while it is dirty, or a dialog while it is open.
 * @param isUnsaved false for a dialog without unsaved input
 */
export function useOpenInput(isOpen: boolean, isUnsaved = true): void {
  useEffect(() => {
    if (!isOpen) return
    const input = {}
    openInputs.set(input, { isUnsaved })
    return () => void openInputs.delete(input)
  }, [isOpen, isUnsaved])
}
