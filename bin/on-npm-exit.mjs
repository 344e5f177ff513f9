/**
 * Calls back once, when the npm that started this process has ended. Does nothing if npm did not start it. npm forwards a signal
 * only to its shell, which ends and leaves this process with another parent.
 * @param {() => void} then
 */
export function whenNpmIsGone(then) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    then()
  }, 500)
  watch.unref()
}
