import { setTimeout as sleep } from 'node:timers/promises'
import { countsOf, printHead, printRow, quantile, timed } from './numbers.ts'

/** Times in ms of calls that were answered 200, and the other statuses. */
export interface Times {
  taken: number[]
  refused: (number | undefined)[]
}

/**
 * Makes one call after the other.
 * @param ask makes a call and returns its status
 * @param into times to add to
 */
export async function timesOf(
  ask: () => Promise<number | undefined>,
  { ms, everyMs }: { ms: number; everyMs: number },
  into: Times = { taken: [], refused: [] },
): Promise<Times> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const [status, took] = await timed(ask)
    if (status === 200) into.taken.push(took)
    else into.refused.push(status)
    await sleep(Math.max(0, everyMs - took))
  }
  return into
}

/** Prints the head of a table of `printTimes`. */
export function printTimesHead(): void {
  const columns = ['p50', 'p99'].flatMap((part) => [
    `${part} usually`,
    'flood elsewhere',
    'flooded',
    'times usual',
    'times elsewhere',
  ])
  printHead('what', 'answered', ...columns, 'refused')
}

/**
 * Prints the times of a caller as usual, while the flood meets a bare server on the same machine, and while it meets
 * Maru. The ratio to “elsewhere” is Maru's; the flood itself uses the machine too.
 */
export function printTimes(what: string, usual: Times, elsewhere: Times | undefined, flooded: Times): void {
  const cells = [0.5, 0.99].flatMap((part) => {
    const [before = NaN, floor = NaN, now = NaN] = [usual, elsewhere, flooded].map((times) =>
      quantile(times?.taken ?? [], part),
    )
    return [before, floor, now, now / before, now / floor]
  })
  printRow(what, String(flooded.taken.length), ...cells, countsOf(flooded.refused))
}
