import * as z from 'zod/mini'

/** Storage key of the lease. */
const KEY = 'notification_stream'
/** Milliseconds for which a lease is valid: after that another window replaces one that crashed. */
const LEASE_MS = 12_000

/** Schema of the stored lease: its window, and its end in milliseconds since 1970. */
const held = z.object({ by: z.string(), until: z.number() })

/** The lease by which only one window of a browser has a notification stream. */
export interface StreamLease {
  /**
   * Takes the lease or renews it.
   * @returns whether this window has it now. For a moment two windows may have it, which is harmless
   */
  take(): boolean
  /** Gives up the lease if this window has it. */
  release(): void
}

/**
 * Creates the lease of this window. One window holds the stream for all windows of the browser.
 * The lease is in local storage, because Web Locks need HTTPS. Without storage every window has its own lease and stream.
 */
export function newStreamLease(): StreamLease {
  const me = crypto.getRandomValues(new Uint32Array(2)).join()
  return {
    take() {
      const now = Date.now()
      const holder = read()
      if (holder !== undefined && holder.by !== me && holder.until > now && holder.until <= now + LEASE_MS)
        return false
      try {
        localStorage.setItem(KEY, JSON.stringify({ by: me, until: now + LEASE_MS }))
      } catch {
        // Full, or forbidden: every window has its own then.
      }
      return true
    },
    release() {
      if (read()?.by === me) localStorage.removeItem(KEY)
    },
  }
}

/** Returns the stored lease; undefined without a valid one. */
function read() {
  try {
    return held.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    return undefined
  }
}
