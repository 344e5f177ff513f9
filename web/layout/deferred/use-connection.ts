import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { isServerAway, noteConnection, onConnectionChange } from '../../api/connection.ts'

/** Milliseconds between polls of an unavailable server, and until a poll without a response fails. */
const ASK_EVERY_MS = 4_000
/** Statuses that a proxy returns if the server is unavailable. */
const AWAY = [502, 503, 504]

/**
 * Returns whether the server is away (`isServerAway`, rules/frame#offline). Then polls /healthz every 4 seconds, and
 * when the browser is online again, until it responds with something else than 502, 503 or 504.
 * @param onBack called when the server responds again
 */
export function useConnection(onBack: () => void): boolean {
  const isAway = useSyncExternalStore(onConnectionChange, isServerAway)
  const back = useEffectEvent(onBack)

  useEffect(() => {
    const lost = () => noteConnection(false)
    if (!navigator.onLine) lost()
    window.addEventListener('offline', lost)
    return () => window.removeEventListener('offline', lost)
  }, [])

  useEffect(() => {
    if (!isAway) return
    const stop = new AbortController()
    async function ask(): Promise<void> {
      try {
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(ASK_EVERY_MS)])
        const { status } = await fetch('/healthz', { cache: 'no-store', credentials: 'omit', signal })
        if (AWAY.includes(status) || stop.signal.aborted) return
      } catch {
        return
      }
      noteConnection(true)
      back()
    }
    const askNow = () => void ask()
    const timer = setInterval(askNow, ASK_EVERY_MS)
    window.addEventListener('online', askNow)
    return () => {
      stop.abort()
      clearInterval(timer)
      window.removeEventListener('online', askNow)
    }
  }, [isAway])
  return isAway
}
