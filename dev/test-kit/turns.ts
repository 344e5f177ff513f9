import { onTestFinished } from 'vitest'

/** Counts the turns that others get in this process from now to the end of the test; gives the number so far. */
export function countTurns(): () => number {
  let turns = 0
  const count = () => {
    turns += 1
    watching = setImmediate(count)
  }
  let watching = setImmediate(count)
  onTestFinished(() => clearImmediate(watching))
  return () => turns
}
