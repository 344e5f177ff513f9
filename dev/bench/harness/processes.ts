/** CPU and memory of processes, as Linux reports them below /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { sum } from './numbers.ts'
import { join } from 'node:path'

/**
 * Returns the CPU time in ms of the running threads of a process, by thread name. Threads of one name are added. Throws
 * if the process has ended.
 */
export function threadsCpuMs(pid: number): Map<string, number> {
  const taken = new Map<string, number>()
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const place = `/proc/${pid}/task/${task}`
    const name = readFileSync(`${place}/comm`, 'utf8').trim()
    const ms = Number(readFileSync(`${place}/schedstat`, 'utf8').split(' ')[0]) / 1e6
    taken.set(name, (taken.get(name) ?? 0) + ms)
  }
  return taken
}

/** Returns the CPU time in ms of the running threads of a process, without its children. */
export const cpuMs = (pid: number): number => sum([...threadsCpuMs(pid).values()])

/** Returns the CPU time in ms of a process and all its children, also of those that have ended; 0 if the process has ended. */
export function treeCpuMs(pid: number): number {
  try {
    // Fields 16 and 17: children that ended, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    const ended = (Number(fields[13]) + Number(fields[14])) * 10
    return cpuMs(pid) + ended + sum(childrenOf(pid).map(treeCpuMs))
  } catch {
    // A child that ended while its parent was read.
    return 0
  }
}

/**
 * Returns the resident memory in MB of a process and of each of its children, without those of PostgreSQL. Throws if
 * the process has ended.
 */
export function residentMb(pid: number): number[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  if (/^Name:\s+postgres/m.test(status)) return []
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  return [own, ...childrenOf(pid).flatMap(residentMb)]
}

/** Returns the process IDs of the children of a process. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

/** The parts of a V8 CPU profile that are read. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

/** Returns the environment that makes a process write its profile to a folder when it ends. */
export const createProfileEnv = (folder: string) => ({
  NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(folder)}`,
})

/**
 * Returns a line for each of the `count` functions that took most time, without the functions that they called. Sums
 * all profiles in a folder, and leaves out idle time.
 */
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

/** Returns the name of a function in a profile, with file and line. */
function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const place = url.replace(/^.*\/(?=(node_modules|server|contract)\/)/, '').replace(/^node_modules\//, '')
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}:${lineNumber + 1}`}`
}
