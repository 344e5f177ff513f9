/** Resolves once the page has loaded nothing for so long, or the signal says that nobody waits. */
export function quiet(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const seen = new PerformanceObserver(again)
    const end = () => {
      clearTimeout(timer)
      seen.disconnect()
      resolve()
    }
    function again() {
      clearTimeout(timer)
      timer = setTimeout(end, ms)
    }
    seen.observe({ type: 'resource' })
    signal.addEventListener('abort', end, { once: true })
    again()
  })
}
