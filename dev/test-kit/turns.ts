import { onTestFinished } from 'vitest'

/**
 * Counts the turns of the event loop until the end of the test.
 * @returns a function that returns the count so far
 */
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
