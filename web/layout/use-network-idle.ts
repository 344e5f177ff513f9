import { useEffect, useState } from 'react'
import { waitForNetworkIdle } from './network-idle.ts'

/** Milliseconds without a loaded file or response until the network counts as idle. */
const IDLE_MS = 1_000

/**
 * Returns true after the page has loaded nothing for one second, and from then on. Requests that wait for this do not
 * slow down a visit (rules/frame#speed).
 * @param isAnswered whether the page's own calls have their results; the second begins only then
 */
export function useNetworkIdle(isAnswered: boolean): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    if (!isAnswered) return
    const unmount = new AbortController()
    void waitForNetworkIdle(IDLE_MS, unmount.signal).then(() => !unmount.signal.aborted && setIdle(true))
    return () => unmount.abort()
  }, [isAnswered])
  return isIdle
}
