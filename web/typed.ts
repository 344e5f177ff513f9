import { useEffect } from 'react'

/** Forms in which something was typed and dialogs that ask for something, as long as they are open in this page. */
const open = new Map<object, { isUnsaved: boolean }>()

/** Whether the page holds something that a way to another page would lose. */
export function isAnythingTyped(): boolean {
  return open.size > 0
}

/** Returns whether the page holds unsaved input. An open dialog without input is none. */
export function isAnythingUnsaved(): boolean {
  return [...open.values()].some(({ isUnsaved }) => isUnsaved)
}

/** Says so of a form or a dialog. */
export function useTyped(isTyped: boolean, isUnsaved = true): void {
  useEffect(() => {
    if (!isTyped) return
    const self = {}
    open.set(self, { isUnsaved })
    return () => void open.delete(self)
  }, [isTyped, isUnsaved])
}
