import { useSyncExternalStore } from 'react'

/**
 * Returns the seconds until a deadline: 0 after it, undefined without one. Computed from the clock each time, so that after sleep,
 * in a background tab or with a slow timer the value jumps but is correct.
 * @param most upper limit, in case the clock of the device was set back
 */
export function useSecondsLeft(deadline: number | undefined, most: number): number | undefined {
  return useSyncExternalStore(subscribeToTime, () =>
    deadline === undefined
      ? undefined
      : Math.min(Math.max(Math.ceil((deadline - Date.now()) / 1000), 0), most),
  )
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

/** Formats seconds, e.g. 272 as 4:32 (rules/account#certification-screen). */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
