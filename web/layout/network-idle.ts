/**
 * Resolves when the page has loaded no file and no response for `ms` milliseconds, or when the signal aborts.
 */
export function waitForNetworkIdle(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new PerformanceObserver(restart)
    const end = () => {
      clearTimeout(timer)
      observer.disconnect()
      resolve()
    }
    function restart() {
      clearTimeout(timer)
      timer = setTimeout(end, ms)
    }
    observer.observe({ type: 'resource' })
    signal.addEventListener('abort', end, { once: true })
    restart()
  })
}
