/** Calls a server from so many connections for so long; in a process of its own. */
import { Agent, request } from 'node:http'

/** A call that a server answers. */
export interface Target {
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

/** What came of it; times in ms. */
export interface Load {
  answered: number
  perSecond: number
  /** How many were answered otherwise: 503 where a server has more than it can do. */
  refused: number
  p50: number
  p99: number
}

const { connections, seconds, ...target } = JSON.parse(process.env['LOAD'] ?? '') as Target & {
  connections: number
  seconds: number
}
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const start = performance.now()
const end = start + seconds * 1000
const times: number[] = []
let refused = 0

function once(): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const call = request({ agent, host: '127.0.0.1', method: 'POST', ...target }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode === 200))
    })
    call.on('error', reject)
    call.end(target.body)
  })
}

async function keepCalling(): Promise<void> {
  while (performance.now() < end) {
    const begin = performance.now()
    if (await once()) times.push(performance.now() - begin)
    else refused += 1
  }
}

await Promise.all(Array.from({ length: connections }, keepCalling))
// What was under way at the end was answered later.
const took = (performance.now() - start) / 1000
times.sort((a, b) => a - b)
const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? Number.NaN
process.send?.({
  answered: times.length,
  perSecond: times.length / took,
  refused,
  p50: at(0.5),
  p99: at(0.99),
} satisfies Load)
agent.destroy()
