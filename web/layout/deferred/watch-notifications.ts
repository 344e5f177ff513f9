import { NOTIFICATION_STREAM_PATH } from '../../../contract/notifications/count.ts'
import { listen } from '../../api/event-stream.ts'
import { sessionUid } from '../../session.ts'
import { newStreamLease } from './stream-lease.ts'

/** Milliseconds between renewals of the lease. */
const CHECK_EVERY_MS = 4_000
/** Milliseconds until a hidden window closes its stream: the user may look away only briefly. */
const HIDDEN_MS = 10_000
/** Longest pause between two attempts, in milliseconds. */
const MAX_RETRY_MS = 60_000
/** Milliseconds until the next attempt after a refused session: the user may log in again over the page. */
const SESSION_AGAIN_MS = 2_000

/**
 * Watches for new notifications while the user looks at a page (rules/notifications#live). Only one window of a browser has a
 * stream, and it notifies the other windows: without HTTP/2 a browser has six connections per server, and a stream occupies one. A
 * hidden window closes its stream, and checks once when it is visible again.
 * @param onNew called when there may be new notifications
 * @returns a function that stops watching
 */
export function watchNotifications(onNew: () => void): () => void {
  const over = new AbortController()
  const { signal } = over
  const lease = newStreamLease()
  const others = new BroadcastChannel('notifications')
  let stream: AbortController | undefined
  // A window that opens in the background was never visible.
  let hiddenAt = -Infinity

  /** Calls `onNew` in this window and in the other visible ones. */
  function notifyWindows() {
    onNew()
    // A channel is limited to one origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (!signal.aborted) others.postMessage('new')
  }

  /** Opens the stream if the window is visible and has the lease; closes it otherwise. */
  function updateStream() {
    const isLookedAt = document.visibilityState === 'visible' || Date.now() - hiddenAt < HIDDEN_MS
    if (!isLookedAt || !lease.take()) return closeStream()
    if (stream !== undefined) return
    stream = new AbortController()
    void keepListening(notifyWindows, AbortSignal.any([stream.signal, signal]))
  }

  function closeStream() {
    stream?.abort()
    stream = undefined
    lease.release()
  }

  function onVisibilityChange() {
    if (document.visibilityState === 'hidden') hiddenAt = Date.now()
    // Only visible windows were notified in the meantime.
    else if (stream === undefined) onNew()
    updateStream()
  }

  // A hidden window reads when it is visible again.
  const onMessage = () => document.visibilityState === 'visible' && onNew()
  others.addEventListener('message', onMessage, { signal })
  updateStream()
  const timer = setInterval(updateStream, CHECK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
  document.addEventListener('visibilitychange', onVisibilityChange, { signal })
  window.addEventListener('pagehide', closeStream, { signal })
  return () => {
    over.abort()
    others.close()
    closeStream()
  }
}

/**
 * Keeps a stream open until the signal aborts, with growing pauses after failures. Calls `onNew` before each new
 * attempt.
 */
async function keepListening(onNew: () => void, signal: AbortSignal): Promise<void> {
  for (let failures = 0, isAgain = false; !signal.aborted; isAgain = true) {
    // The stream reports events of the last seconds only.
    if (isAgain) onNew()
    const end = await listen(NOTIFICATION_STREAM_PATH, onNew, signal)
    if (signal.aborted) return
    if (end.why === 'refused' && end.status === 401) {
      while (!signal.aborted && [null, end.uid].includes(sessionUid())) await sleep(SESSION_AGAIN_MS, signal)
      continue
    }
    failures = end.why !== 'refused' && end.wasOpen ? 1 : failures + 1
    const wait = Math.max(
      end.why === 'refused' ? end.retryAfterMs : 0,
      Math.min(MAX_RETRY_MS, 2_000 * 2 ** failures),
    )
    // Spread the reconnects: a thousand pages may return to a restarted server.
    await sleep(wait * (0.25 + chance() * 0.75), signal)
  }
}

/** Returns a random number from 0 to 1. */
const chance = () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32

/** Waits for `ms` milliseconds; less if the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
