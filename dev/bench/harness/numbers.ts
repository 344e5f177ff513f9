import { say } from './bench.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns a quantile without interpolation; NaN for an empty list.
 * @param part from 0 (minimum) to 1 (maximum)
 */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Returns the median; for an even count, the smaller of the two middle numbers; NaN for an empty list. */
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** Returns the sum; 0 for an empty list. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Prints the head of a Markdown table. */
export function printHead(...columns: readonly string[]): void {
  say(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`)
}

/** Prints a row of a Markdown table: numbers with one decimal, NaN as an empty cell, texts as they are. */
export function printRow(...cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? cell : Number.isNaN(cell) ? '' : cell.toFixed(1),
  )
  say(`| ${texts.join(' | ')} |`)
}

/** Returns how often each text occurs, as `12 × 200, 3 × 429`; '' for none. */
export function countsOf(texts: Iterable<string | number | undefined>): string {
  const counts = Map.groupBy(texts, String)
  return [...counts].map(([text, { length }]) => `${length} × ${text}`).join(', ')
}

/** Returns the milliseconds that have passed since a time of `performance.now()`. */
export const since = (begin: number): number => performance.now() - begin

/** Runs `work`, and returns its result and the milliseconds that it took. */
export async function measureTime<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
  const begin = performance.now()
  const result = await work()
  return [result, since(begin)]
}

/** Returns a random element of a list, which must not be empty. */
export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Milliseconds of each call with status 200, and the statuses of the others. */
export interface Times {
  taken: number[]
  /** Statuses; undefined if there was no response. */
  refused: (number | undefined)[]
}

/**
 * Makes calls in sequence for `ms` milliseconds, at most one every `everyMs`, and returns their times. A call that
 * throws ends it.
 * @param ask makes a call and returns its status
 * @param into times to add to
 */
export async function timesOf(
  ask: () => Promise<number | undefined>,
  { ms, everyMs }: { ms: number; everyMs: number },
  into: Times = { taken: [], refused: [] },
): Promise<Times> {
  for (const end = performance.now() + ms; performance.now() < end;) {
    const [status, took] = await measureTime(ask)
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
 * Prints the times of a caller: without a flood (`usual`), while a flood hits a bare server on this machine (`elsewhere`), and
 * while it hits Maru (`flooded`). The flood itself uses the machine, so only the ratio to `elsewhere` shows the effect on Maru.
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
