/** CPU and memory of processes, as Linux reports them below /proc. */
import { readdirSync, readFileSync } from 'node:fs'
import { sum } from './numbers.ts'

/** CPU time in ms of the threads of a process that still run, by thread name. */
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

/** CPU time in ms of a process without its children. */
export const cpuMs = (pid: number): number => sum([...threadsCpuMs(pid).values()])

/** CPU time in ms of a process and all its children, also of those that have ended. */
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

/** Resident memory in MB of a process and its children without PostgreSQL, by process. */
export function residentMb(pid: number): number[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  if (/^Name:\s+postgres/m.test(status)) return []
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  return [own, ...childrenOf(pid).flatMap(residentMb)]
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}
