/** What somebody does who asks more than a server can answer, in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { sealed } from '../../test-kit/seal.ts'

/** What is sent, over and over. */
export interface Flood {
  port: number
  /** So many at most. */
  connections: number
  /** Left out: as often as it is answered. */
  perSecond?: number
  /** As bytes, one after the other. */
  requests: string[]
}

/** A call as bytes. */
export function bytesOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  headers: Record<string, string>,
): string {
  const body = sealed(endpoint, input)
  const all = {
    Host: 'localhost',
    'Content-Type': 'application/json',
    ...headers,
    'Content-Length': body.length,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${API_BASE}${endpoint.path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** Begins; what is given back ends it and tells how often what was answered. */
export function startFlood(flood: Flood): () => Promise<string> {
  // More than the environment or a message of Node's takes everywhere.
  const folder = mkdtempSync(join(tmpdir(), 'maru-bench-'))
  const file = join(folder, 'flood.json')
  writeFileSync(file, JSON.stringify(flood))
  const child = fork(new URL('child.ts', import.meta.url), { env: { ...process.env, FLOOD_FILE: file } })
  const begin = performance.now()
  return async () => {
    child.send('stop')
    const [{ sent, statuses, open }] = (await once(child, 'message')) as [
      { sent: number; open: number; statuses: Record<string, number> },
    ]
    rmSync(folder, { recursive: true })
    const seconds = (performance.now() - begin) / 1000
    const said = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    return `${(sent / seconds).toFixed(0)} a second on ${open} connections: ${said.join(', ')}`
  }
}

/** A server of its own that refuses everything at once. */
export async function startBareServer(): Promise<{ port: number; stop: () => void }> {
  const child = fork(new URL('bare.ts', import.meta.url))
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => void child.kill() }
}
