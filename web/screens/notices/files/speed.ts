/** Progress of a transfer. */
export interface Progress {
  loadedBytes: number
  totalBytes: number
  bytesPerSecond: number
  /** null until there is enough to go by. */
  secondsLeft: number | null
}

/** The window of the average: long enough to be steady, short enough to follow changes. */
const WINDOW_MS = 5_000

/** Computes the speed and the remaining time from the bytes of the last seconds. */
export function createSpeed(totalBytes: number): (loadedBytes: number, nowMs: number) => Progress {
  let seen: { at: number; bytes: number }[] = []
  return (loadedBytes, nowMs) => {
    // After an interruption the upload may resume at an earlier byte.
    if (loadedBytes < (seen.at(-1)?.bytes ?? 0)) seen = []
    seen = [...seen.filter(({ at }) => nowMs - at <= WINDOW_MS), { at: nowMs, bytes: loadedBytes }]
    const first = seen[0]
    const seconds = first === undefined ? 0 : (nowMs - first.at) / 1000
    const bytesPerSecond = first === undefined || seconds < 0.2 ? 0 : (loadedBytes - first.bytes) / seconds
    const left = totalBytes - loadedBytes
    const secondsLeft = bytesPerSecond > 0 ? Math.ceil(left / bytesPerSecond) : null
    return { loadedBytes, totalBytes, bytesPerSecond, secondsLeft }
  }
}
