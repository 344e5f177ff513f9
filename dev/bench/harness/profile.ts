/** CPU profiles of a process that was started with `--cpu-prof`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sum } from './numbers.ts'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Returns the environment that makes a process write its profile to a folder when it ends. */
export const profiling = (folder: string) => ({
  NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)}`,
})

/** Returns a line for each of the functions that took most time, without the functions they called. */
export function slowestFunctions(folder: string, count = 25): string[] {
  const spent = new Map<string, number>()
  for (const file of readdirSync(folder)) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
    for (const [i, id] of samples.entries()) {
      const name = names.get(id) ?? ''
      spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[i] ?? 0) / 1000)
    }
  }
  spent.delete('(idle)')
  const all = sum([...spent.values()])
  const slowest = [...spent].toSorted(([, a], [, b]) => b - a).slice(0, count)
  return slowest.map(([name, ms]) => `${((ms / all) * 100).toFixed(1)} %  ${ms.toFixed(0)} ms  ${name}`)
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(?=(node_modules|server|contract)\/)/, '').replace(/^node_modules\//, '')
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}:${lineNumber + 1}`}`
}
