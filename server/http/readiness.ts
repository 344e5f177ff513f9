import { setTimeout as sleep } from 'node:timers/promises'

/** How long a part may take to say that it is ready, and how long an answer holds: anybody may ask. */
export interface ReadinessTimes {
  withinMs: number
  keptMs: number
}

/** A part that is not ready, and what it says of it. */
export interface NotReady {
  name: string
  error: unknown
}

const TIMES: ReadinessTimes = { withinMs: 5_000, keptMs: 3_000 }

/**
 * Asks the parts that a server needs whether they are ready.
 * @param checks by name; each rejects when its part is not
 * @param tell is told of every answer that names one
 * @returns asks, or gives the answer that still holds: those that are not ready, or do not say so in time
 */
export function createReadiness(
  checks: Record<string, () => Promise<unknown>>,
  tell: (failed: NotReady[]) => void,
  { withinMs, keptMs }: ReadinessTimes = TIMES,
): () => Promise<NotReady[]> {
  const running = new Map<string, Promise<NotReady | null>>()
  let answer: Promise<NotReady[]> | undefined
  // While it is asked, all who come share the answer.
  let holdsUntil = Infinity

  const look = async (name: string, check: () => Promise<unknown>) => {
    // What hangs is not asked again: a folder that hangs keeps one of Node's four threads for each question.
    const asked =
      running.get(name) ??
      check()
        .then(
          () => null,
          (error: unknown) => ({ name, error }),
        )
        .finally(() => running.delete(name))
    running.set(name, asked)
    const come = new AbortController()
    try {
      return await Promise.race([asked, sleep(withinMs, { name, error: 'late' }, { signal: come.signal })])
    } finally {
      come.abort()
    }
  }

  const ask = async () => {
    const looks = await Promise.all(Object.entries(checks).map(([name, check]) => look(name, check)))
    const failed = looks.filter((found) => found !== null)
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
