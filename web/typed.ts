import { useEffect } from 'react'

/** Forms in which something was typed and dialogs that ask for something, as long as they are open in this page. */
const open = new Set<object>()

/** Whether the page holds something that a way to another page would lose. */
export function isAnythingTyped(): boolean {
  return open.size > 0
}

/** Says so of a form or a dialog. */
export function useTyped(isTyped: boolean): void {
  useEffect(() => {
    if (!isTyped) return
    const self = {}
    open.add(self)
    return () => void open.delete(self)
  }, [isTyped])
}
