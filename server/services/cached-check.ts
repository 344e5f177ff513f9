/**
 * Returns a function that runs a check, which must not reject, and caches its result. Concurrent callers share one check.
 * @param cacheMs time that a result is returned after the check has ended
 */
export function createCachedCheck<T>(check: () => Promise<T>, cacheMs: number): () => Promise<T> {
  let result: Promise<T> | undefined
  let validUntil = 0
  return () => {
    if (result === undefined || performance.now() >= validUntil) {
      validUntil = Infinity
      result = check().finally(() => (validUntil = performance.now() + cacheMs))
    }
    return result
  }
}
