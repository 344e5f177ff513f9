import { say } from './bench.ts'

/** Returns the smallest value that a share of the numbers does not exceed. @param part from 0 to 1 */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Returns the median, of an even count the smaller middle. */
export const median = (numbers: readonly number[]): number => quantile(numbers, 0.5)

/** Returns the sum. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)

/** Prints the head of a Markdown table. */
export function printHead(...columns: readonly string[]): void {
  say(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`)
}

/** Prints a row of a Markdown table: numbers with one digit, NaN as nothing. */
export function printRow(...cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) =>
    typeof cell === 'string' ? cell : Number.isNaN(cell) ? '' : cell.toFixed(1),
  )
  say(`| ${texts.join(' | ')} |`)
}

/** Returns how often each text occurs, as `12 × 200, 3 × 429`. */
export function countsOf(texts: Iterable<string | number | undefined>): string {
  const counts = Map.groupBy(texts, String)
  return [...counts].map(([text, { length }]) => `${length} × ${text}`).join(', ')
}

/** Milliseconds since a moment. */
export const since = (begin: number): number => performance.now() - begin

/** Runs `work` and returns what it returns with the milliseconds it took. */
export async function timed<T>(work: () => Promise<T>): Promise<[result: T, ms: number]> {
  const begin = performance.now()
  const result = await work()
  return [result, since(begin)]
}

/** Returns a random element. */
export const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
