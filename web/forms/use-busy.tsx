import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { LoadingOverlay } from '../ui/loading-overlay.tsx'

/**
 * Returns `during(what, work)`, which covers the page with the text `what` while `work` runs and returns its result;
 * `isBusy`; and `overlay`, which the caller must render.
 */
export function useBusy() {
  const [label, setLabel] = useState<string>()

  async function during<T>(what: string, work: () => Promise<T>): Promise<T> {
    setLabel(what)
    try {
      return await work()
    } finally {
      // The overlay closes before an alert opens, so that the focus can return to the button.
      flushSync(() => setLabel(undefined))
    }
  }

  const overlay: ReactNode = label !== undefined && <LoadingOverlay label={label} />
  return { during, isBusy: label !== undefined, overlay }
}
