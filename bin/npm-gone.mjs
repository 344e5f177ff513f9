/**
 * Calls back when npm has ended that this process was started by. npm passes a signal on to its shell alone, which ends by
 * it and leaves behind what it has started, with another parent.
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
