import { createCachedCheck } from '../../services/cached-check.ts'
import { withTimeout } from '../../services/with-timeout.ts'

/** Timeout of a check, and how long a result is cached, in milliseconds. Anyone may call /readyz. */
export interface ReadinessTimes {
  timeoutMs: number
  cacheMs: number
}

/** Component that is not ready, and its error. */
export interface NotReady {
  name: string
  error: unknown
}

/** Usual times of the checks of /readyz. */
const TIMES: ReadinessTimes = { timeoutMs: 5_000, cacheMs: 3_000 }

/**
 * Creates the check of the components that a server needs. Results are cached, so that frequent calls cost nothing.
 * @param checks by name; each rejects if its component is not ready
 * @param report receives the failed components of a run, unless there are none
 * @returns a function that returns the components that are not ready or have not answered in time
 */
export function createReadiness(
  checks: Record<string, () => Promise<unknown>>,
  report: (failed: NotReady[]) => void,
  { timeoutMs, cacheMs }: ReadinessTimes = TIMES,
): () => Promise<NotReady[]> {
  const running = new Map<string, Promise<NotReady | null>>()

  const run = (name: string, check: () => Promise<unknown>) => {
    // A check that hangs is not started again: each one on a folder that hangs blocks one of Node's four threads.
    const result =
      running.get(name) ??
      check()
        .then(
          () => null,
          (error: unknown) => ({ name, error }),
        )
        .finally(() => running.delete(name))
    running.set(name, result)
    return withTimeout(result, timeoutMs, () => ({ name, error: 'no answer in time' }))
  }

  return createCachedCheck(async () => {
    const results = await Promise.all(Object.entries(checks).map(([name, check]) => run(name, check)))
    const failed = results.filter((result) => result !== null)
    if (failed.length > 0) report(failed)
    return failed
  }, cacheMs)
}
