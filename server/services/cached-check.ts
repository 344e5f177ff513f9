/**
 * Returns a function that runs a check and caches its result. Concurrent callers share one run. The check must not reject: a
 * rejection would be cached, too.
 * @param cacheMs milliseconds for which a result is returned after the check has ended
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
