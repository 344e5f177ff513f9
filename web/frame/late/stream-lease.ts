import * as z from 'zod/mini'

const KEY = 'notification_stream'
/** A window that was killed loses it by then. */
const LEASE_MS = 12_000

const held = z.object({ by: z.string(), until: z.number() })

/** The right of one window of a browser to have a stream. */
export interface StreamLease {
  /** Takes or renews it. @returns whether this window has it now; two may for a moment, which does no harm */
  take(): boolean
  release(): void
}

/** By localStorage: Web Locks are there over https alone. */
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

function read() {
  try {
    return held.parse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
  } catch {
    return undefined
  }
}
