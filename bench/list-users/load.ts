import { Agent, request } from 'node:http'

/** A server under load and the call that it answers. */
export interface Target {
  port: number
  path: string
  headers: Record<string, string>
  body: string
  /** The SQL that one call runs, for the bare server. */
  statements: { text: string; values: unknown[] }[]
}

const load = JSON.parse(process.env['LOAD'] ?? '') as Target & { seconds: number; connections: number }
const agent = new Agent({ keepAlive: true, maxSockets: load.connections })
const end = Date.now() + load.seconds * 1000
let answered = 0

function once(): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      { agent, port: load.port, host: '127.0.0.1', path: load.path, method: 'POST', headers: load.headers },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`status ${answer.statusCode}`))
        answer.resume().on('end', resolve)
      },
    )
    call.on('error', reject)
    call.end(load.body)
  })
}

async function keepCalling(): Promise<void> {
  while (Date.now() < end) {
    await once()
    answered += 1
  }
}

await Promise.all(Array.from({ length: load.connections }, keepCalling))
process.send?.(answered)
agent.destroy()
