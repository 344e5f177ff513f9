import { useSyncExternalStore } from 'react'
import { CERTIFY_SECONDS } from '../../../contract/account.ts'

/**
 * The seconds until a deadline, 0 when it is over; undefined without one. Taken from the clock each time, so
 * that sleep, a tab in the background, or a slow timer makes it jump and never lie.
 */
export function useSecondsLeft(deadline: number | undefined): number | undefined {
  return useSyncExternalStore(subscribeToTime, () => secondsLeft(deadline))
}

function secondsLeft(deadline: number | undefined): number | undefined {
  if (deadline === undefined) return undefined
  const left = Math.ceil((deadline - Date.now()) / 1000)
  // Somebody may have set the machine's clock back meanwhile.
  return Math.min(Math.max(left, 0), CERTIFY_SECONDS)
}

function subscribeToTime(tick: () => void): () => void {
  // More often than a second, so that no number is skipped; React draws only when it changed.
  const timer = setInterval(tick, 200)
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** 272 seconds as 4:32 (rules/account#certification-screen). */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
