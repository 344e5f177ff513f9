/** Where a Maru's time goes: it is started with `--cpu-prof`, and what it wrote at its end is read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * What makes a started Maru write a profile when it ends.
 * @param folder where to
 */
export const profiling = (folder: string) => ({
  NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)}`,
})

/** The functions in which most time was spent, those that they called apart; a line for each. */
export function slowestFunctions(folder: string, count = 25): string[] {
  const spent = new Map<string, number>()
  let all = 0
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
    for (const [i, id] of samples.entries()) {
      const [name, ms] = [names.get(id) ?? '', (timeDeltas[i] ?? 0) / 1000]
      if (name === '(idle)') continue
      spent.set(name, (spent.get(name) ?? 0) + ms)
      all += ms
    }
  }
  return [...spent]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(
      ([name, ms]) =>
        `${((ms / all) * 100).toFixed(1).padStart(5)} %  ${ms.toFixed(0).padStart(6)} ms  ${name}`,
    )
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(?=(node_modules|server|contract)\/)/, '').replace(/^node_modules\//, '')
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}:${lineNumber + 1}`}`
}
