/** Maru as people start it, for measurements of its processes: the launcher, what it becomes, and what that starts. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import { API_BASE } from '../../contract/envelope.ts'
import { sealed } from '../test-kit/seal.ts'

/** A Maru that serves. */
export interface StartedMaru {
  port: number
  /** From the start to the line that it is ready. */
  startMs: number
  /** What it said until it was ready. */
  text: string
  child: ChildProcess
  /** Resident memory of all its processes but PostgreSQL's, in MB, by process. */
  resident(): number[]
  /** CPU time that its first process has taken, in ms. */
  cpuMs(): number
  /** The same by the names of its threads. */
  threadsCpuMs(): Map<string, number>
  stop(): Promise<void>
}

/**
 * Starts it as `npm start` does.
 * @param env what differs from this process's
 * @param verb of the launcher
 */
export async function startAsPeopleDo(env: Record<string, string>, verb = 'start'): Promise<StartedMaru> {
  const begin = performance.now()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/maru.mjs'), verb], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = async () => {
    child.kill()
    if (child.exitCode === null) await once(child, 'exit')
  }
  let text = ''
  for await (const line of createInterface(child.stdout)) {
    text += `${line}\n`
    const port = Number(/Maru is ready: open http:\/\/localhost:(\d+)/.exec(line)?.[1])
    if (port > 0) {
      child.stdout.resume()
      return {
        port,
        startMs: performance.now() - begin,
        text,
        child,
        resident: () => residentOf(child.pid),
        cpuMs: () => cpuOf(`${child.pid}`).ms,
        threadsCpuMs: () => threadsOf(child.pid),
        stop,
      }
    }
  }
  throw new Error(`Maru did not start: ${text}`)
}

/** Makes calls on so many connections, as browsers do that stay. */
export function caller(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    /** Makes a call and reads the answer to its end. @returns its status */
    async call<E extends Endpoint>(
      endpoint: E,
      input: InputOf<E>,
      headers: Record<string, string>,
    ): Promise<number | undefined> {
      const sent = request({
        agent,
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: API_BASE + endpoint.path,
        headers: { 'content-type': 'application/json', ...headers },
      })
      sent.end(sealed(endpoint, input))
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    },
    close: () => agent.destroy(),
  }
}

/**
 * CPU time of a process or thread and what it is called; Linux says it in hundredths of a second.
 * @param place below /proc
 */
function cpuOf(place: string): { name: string; ms: number; endedMs: number } {
  const stat = readFileSync(`/proc/${place}/stat`, 'utf8')
  const [, name = '', numbers = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? []
  const [own = 0, ofSystem = 0, ended = 0, endedOfSystem = 0] = numbers.split(' ').slice(11, 15).map(Number)
  return { name, ms: (own + ofSystem) * 10, endedMs: (ended + endedOfSystem) * 10 }
}

function threadsOf(pid: number | undefined): Map<string, number> {
  const taken = new Map<string, number>()
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const { name, ms } = cpuOf(`${pid}/task/${task}`)
    taken.set(name, (taken.get(name) ?? 0) + ms)
  }
  return taken
}

/** CPU time in ms of a process and of all that it has started, what has ended among them. */
export function cpuWithChildren(pid: number | string): number {
  const { ms, endedMs } = cpuOf(`${pid}`)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + cpuWithChildren(child), ms + endedMs)
}

/** Linux alone says it. */
function residentOf(pid: number | string | undefined): number[] {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  if (/^Name:\s+postgres/m.test(status)) return []
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
  return [own, ...children.flatMap(residentOf)]
}
