import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Settles as `answer` does, or with the result of `onTimeout` if that takes longer than `ms` milliseconds. The work behind
 * `answer` continues.
 */
export async function withTimeout<T, F>(answer: Promise<T>, ms: number, onTimeout: () => F): Promise<T | F> {
  const timer = new AbortController()
  try {
    return await Promise.race([answer, sleep(ms, undefined, { signal: timer.signal }).then(onTimeout)])
  } finally {
    timer.abort()
  }
}
