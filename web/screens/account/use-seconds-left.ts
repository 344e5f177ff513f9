import { useSyncExternalStore } from 'react'

/**
 * The seconds until a deadline, 0 when it is over; undefined without one. Taken from the clock each time, so
 * that sleep, a tab in the background, or a slow timer makes it jump rather than be wrong.
 * @param most how many they can be: somebody may have set the machine's clock back meanwhile
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

/** 272 seconds as 4:32 (rules/account#certification-screen). */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
