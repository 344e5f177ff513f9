import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { extendSession } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { readStorage } from '../../read-storage.ts'
import { createListeners } from '../../listeners.ts'
import { SESSION_LIMITS } from '../../session.ts'

/** Schema of the stored limits. */
const limits = z.object({
  idleEndsAt: z.number(),
  absoluteEndsAt: z.number(),
})
/** End of the session for all tabs; timestamps in milliseconds of this browser's clock. */
export type SessionLimits = z.output<typeof limits>

const { subscribe, notify } = createListeners()

/**
 * Returns the limits that this or another tab has stored.
 * @returns undefined before the first poll
 */
export function sessionLimits(): SessionLimits | undefined {
  return readStorage(localStorage, SESSION_LIMITS, limits)
}

/**
 * Stores the limits of a response for all tabs, and renders the components that show them.
 * @param askedAt time of the request, in milliseconds since 1970, from which the server's seconds count
 */
export function storeLimits(answer: OutputOf<typeof extendSession>, askedAt: number): void {
  const stored: SessionLimits = {
    idleEndsAt: askedAt + answer.idleSeconds * 1000,
    absoluteEndsAt: askedAt + answer.absoluteSeconds * 1000,
  }
  localStorage.setItem(SESSION_LIMITS, JSON.stringify(stored))
  notify()
}

/**
 * Returns a value that `read` computes from limits and clock, and renders again when it changes; checks every second.
 * @returns undefined before the first poll
 */
export function useFromLimits<T extends string | number | boolean | undefined>(
  read: (known: SessionLimits, now: number) => T,
): T | undefined {
  return useSyncExternalStore(subscribeToLimits, () => {
    const known = sessionLimits()
    return known && read(known, Date.now())
  })
}

/**
 * Calls `tick` every second, after `storeLimits`, and when another tab stores something. Returns a function that stops
 * this.
 */
function subscribeToLimits(tick: () => void): () => void {
  const stop = subscribe(tick)
  // The clock ticks, and another tab may have stored new limits.
  const timer = setInterval(tick, 1_000)
  window.addEventListener('storage', tick)
  return () => {
    stop()
    clearInterval(timer)
    window.removeEventListener('storage', tick)
  }
}
