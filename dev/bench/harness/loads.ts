import type { Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { sealed } from '../../test-kit/seal.ts'
import { startChild } from './child.ts'
import type { Load, Loaded } from './load.ts'
import { since } from './numbers.ts'

/** Returns a POST as the bytes of its request. */
export function postOf(path: string, body: string, headers: Record<string, string> = {}): string {
  const all = { Host: 'localhost', ...headers, 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** Returns a call as the bytes of its request. */
export function bytesOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  headers: Record<string, string>,
): string {
  const all = { 'Content-Type': 'application/json', ...headers }
  return postOf(API_BASE + endpoint.path, sealed(endpoint, input), all)
}

/** Sends one request on many connections and waits for the last answer. */
export async function loadFor(
  seconds: number,
  { port, request, connections = 32 }: { port: number; request: string; connections?: number },
): Promise<Loaded> {
  const load: Load = { port, connections, requests: [request], seconds }
  const child = await startChild<Loaded>('harness/load.ts', load)
  await child.stop()
  return child.first
}

/** Starts a load. @returns what stops it and describes its answers */
export async function startLoad(load: Load): Promise<() => Promise<string>> {
  const child = await startChild('harness/load.ts', load)
  const begin = performance.now()
  return async () => {
    const { sent, statuses, open } = (await child.ask()) as Loaded
    const perSecond = (sent / since(begin)) * 1000
    await child.stop()
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    return `${perSecond.toFixed(0)} a second on ${open} connections: ${counts.join(', ')}`
  }
}
