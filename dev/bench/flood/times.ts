/** How long one person's calls take, asked one after the other beside whatever else goes on. */
import { setTimeout as sleep } from 'node:timers/promises'

/** The times of calls, in ms, sorted, and what was answered otherwise than 200. */
export interface Times {
  sorted: number[]
  refused: Record<string, number>
}

/** Asks every so often for so long. @param ask makes one call. @returns its status */
export async function timesOf(
  ask: () => Promise<number | undefined>,
  { ms, everyMs }: { ms: number; everyMs: number },
): Promise<Times> {
  const taken: number[] = []
  const refused: Record<string, number> = {}
  for (const end = performance.now() + ms; performance.now() < end;) {
    const begin = performance.now()
    const status = await ask()
    const took = performance.now() - begin
    if (status === 200) taken.push(took)
    else refused[String(status)] = (refused[String(status)] ?? 0) + 1
    await sleep(Math.max(0, everyMs - took))
  }
  return { sorted: taken.toSorted((a, b) => a - b), refused }
}

/** The time that so large a part of the calls did not exceed. */
export function quantile({ sorted }: Times, part: number): number {
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Both in one line: usual, meanwhile, how many times as long. */
export function compared(what: string, usual: Times, meanwhile: Times): string {
  const parts = [0.5, 0.99].map((part) => {
    const [before, now] = [quantile(usual, part), quantile(meanwhile, part)]
    return `${before.toFixed(1)} | ${now.toFixed(1)} | ${(now / before).toFixed(1)}`
  })
  const refused = Object.entries(meanwhile.refused).map(([status, count]) => `${count} × ${status}`)
  return `| ${what} | ${meanwhile.sorted.length} | ${parts.join(' | ')} | ${refused.join(', ')} |`
}

/** The head of the table of such lines. */
export const COMPARED_HEAD =
  '| what | answered | p50 usually | meanwhile | times | p99 usually | meanwhile | times | refused |\n|---|---|---|---|---|---|---|---|---|'

const EMPTY: Times = { sorted: [], refused: {} }

/** The times of several rounds as one, by what was asked. */
export function together(rounds: (readonly [string, Times])[][]): Map<string, Times> {
  const all = new Map<string, Times>()
  for (const [what, { sorted, refused }] of rounds.flat()) {
    const so = all.get(what) ?? EMPTY
    const counts = { ...so.refused }
    for (const [status, count] of Object.entries(refused)) counts[status] = (counts[status] ?? 0) + count
    all.set(what, { sorted: [...so.sorted, ...sorted].toSorted((a, b) => a - b), refused: counts })
  }
  return all
}

/**
 * What others take usually, while the flood meets a bare server beside, and while it meets Maru; how many times as long
 * as usually, and as beside the bare server.
 */
export function besideBare(what: string, usual = EMPTY, beside = EMPTY, meanwhile = EMPTY): string {
  const parts = [0.5, 0.99].map((part) => {
    const [before, floor, now] = [usual, beside, meanwhile].map((times) => quantile(times, part))
    const of = (base = Number.NaN) => ((now ?? Number.NaN) / base).toFixed(1)
    return `${before?.toFixed(1)} | ${floor?.toFixed(1)} | ${now?.toFixed(1)} | ${of(before)} | ${of(floor)}`
  })
  const refused = Object.entries(meanwhile.refused).map(([status, count]) => `${count} × ${status}`)
  return `| ${what} | ${meanwhile.sorted.length} | ${parts.join(' | ')} | ${refused.join(', ')} |`.replaceAll(
    'NaN',
    '',
  )
}

/** The head of the table of such lines. */
export const BESIDE_BARE_HEAD = `| what | answered |${['p50', 'p99']
  .map((part) => ` ${part} usually | flood elsewhere | flooded | times usual | times elsewhere |`)
  .join('')} refused |\n|${'---|'.repeat(13)}`
