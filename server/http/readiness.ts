import { setTimeout as sleep } from 'node:timers/promises'

/** How long a part may take to say that it is ready, and how long an answer holds: anybody may ask. */
export interface ReadinessTimes {
  withinMs: number
  keptMs: number
}

const TIMES: ReadinessTimes = { withinMs: 5_000, keptMs: 3_000 }

/**
 * Asks the parts that a server needs whether they are ready.
 * @param checks by name; each rejects when its part is not
 * @param tell is told of every answer that names one
 * @returns asks, or gives the answer that still holds: the names of those that are not ready, or do not say so in time
 */
export function createReadiness(
  checks: Record<string, () => Promise<unknown>>,
  tell: (failed: string[]) => void,
  { withinMs, keptMs }: ReadinessTimes = TIMES,
): () => Promise<string[]> {
  const running = new Map<string, Promise<boolean>>()
  let answer: Promise<string[]> | undefined
  // While it is asked, all who come share the answer.
  let holdsUntil = Infinity

  const isReady = async (name: string, check: () => Promise<unknown>) => {
    // What hangs is not asked again: a folder that hangs keeps one of Node's four threads for each question.
    const asked =
      running.get(name) ??
      check()
        .then(
          () => true,
          () => false,
        )
        .finally(() => running.delete(name))
    running.set(name, asked)
    const come = new AbortController()
    try {
      return await Promise.race([asked, sleep(withinMs, false, { signal: come.signal })])
    } finally {
      come.abort()
    }
  }

  const ask = async () => {
    const names = Object.keys(checks)
    const ready = await Promise.all(Object.entries(checks).map(([name, check]) => isReady(name, check)))
    const failed = names.filter((_, index) => ready[index] === false)
    if (failed.length > 0) tell(failed)
    holdsUntil = Date.now() + keptMs
    return failed
  }
  return () => {
    if (answer === undefined || Date.now() >= holdsUntil) {
      holdsUntil = Infinity
      answer = ask()
    }
    return answer
  }
}
