import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { extendSession } from '../../../contract/common.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { readStorage } from '../../read-storage.ts'
import { createListeners } from '../../listeners.ts'
import { SESSION_LIMITS } from '../../session.ts'

/** When the session ends, as the server said it last, to whichever tab; in milliseconds of this browser's clock. */
const limits = z.object({
  idleEndsAt: z.number(),
  absoluteEndsAt: z.number(),
  /** Activity up to here has been told to the server. */
  usedAt: z.number(),
})
export type SessionLimits = z.output<typeof limits>

const { subscribe, notify } = createListeners()

/** What is known of it; undefined until somebody has asked. */
export function sessionLimits(): SessionLimits | undefined {
  return readStorage(localStorage, SESSION_LIMITS, limits)
}

/** Keeps an answer for every tab. */
export function keepLimits(answer: OutputOf<typeof extendSession>, askedAt: number, isUse: boolean): void {
  const kept: SessionLimits = {
    idleEndsAt: askedAt + answer.idleSeconds * 1000,
    absoluteEndsAt: askedAt + answer.absoluteSeconds * 1000,
    usedAt: isUse ? askedAt : (sessionLimits()?.usedAt ?? 0),
  }
  localStorage.setItem(SESSION_LIMITS, JSON.stringify(kept))
  notify()
}

/** How far the session is from its end, drawn anew when it changes. */
export function useFromLimits<T extends string | number | boolean | undefined>(
  read: (known: SessionLimits, now: number) => T,
): T | undefined {
  return useSyncExternalStore(subscribeToLimits, () => {
    const known = sessionLimits()
    return known && read(known, Date.now())
  })
}

function subscribeToLimits(tick: () => void): () => void {
  const stop = subscribe(tick)
  // The clock, and what another tab heard.
  const timer = setInterval(tick, 1_000)
  window.addEventListener('storage', tick)
  return () => {
    stop()
    clearInterval(timer)
    window.removeEventListener('storage', tick)
  }
}
