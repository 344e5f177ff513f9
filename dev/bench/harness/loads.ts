import type { Endpoint, InputOf } from '../../../contract/endpoint.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import { sealInput } from '../../test-kit/seal.ts'
import { startChild } from './child.ts'
import type { Load, LoadResult } from './load.ts'
import { since } from './numbers.ts'

/** Returns the text of a POST request as it is sent on a connection. */
export function postOf(path: string, body: string, headers: Record<string, string> = {}): string {
  const all = { Host: 'localhost', ...headers, 'Content-Length': Buffer.byteLength(body) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** Returns the text of the request of a call in the envelope, as it is sent on a connection. */
export function bytesOf<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  headers: Record<string, string>,
): string {
  const all = { 'Content-Type': 'application/json', ...headers }
  return postOf(API_BASE + endpoint.path, sealInput(endpoint, input), all)
}

/** Sends a request repeatedly on many connections for a number of seconds, and waits for the last response. */
export async function loadFor(
  seconds: number,
  { port, request, connections = 32 }: { port: number; request: string; connections?: number },
): Promise<LoadResult> {
  const load: Load = { port, connections, requests: [request], seconds }
  const child = await startChild<LoadResult>('harness/load.ts', load)
  await child.stop()
  return child.first
}

/**
 * Starts a load without an end, in a process of its own.
 * @returns a function that stops it and returns a line with its rate of sent requests and the number of responses by
 * status. May be called once
 */
export async function startLoad(load: Load): Promise<() => Promise<string>> {
  const child = await startChild('harness/load.ts', load)
  const begin = performance.now()
  return async () => {
    const { sent, statuses, open } = (await child.ask()) as LoadResult
    const perSecond = (sent / since(begin)) * 1000
    await child.stop()
    const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
    return `${perSecond.toFixed(0)} a second on ${open} connections: ${counts.join(', ')}`
  }
}
