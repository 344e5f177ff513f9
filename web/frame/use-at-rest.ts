import { useEffect, useState } from 'react'
import { quiet } from './quiet.ts'

const REST_MS = 1_000

/**
 * Whether the page has loaded what it needs: what waits for this is no part of a visit (rules/frame#speed).
 * @param isAnswered whether the page's own calls have been answered, which come first
 */
export function useAtRest(isAnswered: boolean): boolean {
  const [isAtRest, setAtRest] = useState(false)
  useEffect(() => {
    if (!isAnswered) return
    const gone = new AbortController()
    void quiet(REST_MS, gone.signal).then(() => !gone.signal.aborted && setAtRest(true))
    return () => gone.abort()
  }, [isAnswered])
  return isAtRest
}
