/** Sends requests as they were drawn, by Node's client where that can, else byte for byte. */
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pace } from './drawn.ts'

/** A request that is ready to go out. */
export interface Ready {
  method: string
  path: string
  headers: Record<string, string>
  body: Buffer
  isRaw: boolean
  pace: Pace
}

/** What came back; without a status when the connection ended before. */
export interface Heard {
  status?: number
  headers: IncomingHttpHeaders
  text: string
  /** From the last byte that was sent to the first that was read: a file takes as long as it is large. */
  ms: number
}

/** How long an answer is waited for. */
const PATIENCE_MS = 30_000
const PIECES = 4
const BETWEEN_PIECES_MS = 40
const NOTHING = { headers: {}, text: '' }

/** @param connections that stay open */
export function createSender(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    /** How long it takes says nothing where bytes are held back on purpose. */
    async send(ready: Ready): Promise<Heard> {
      if (ready.isRaw) return sendBytes(port, [ready.body])
      if (ready.pace === 'cut off') return cutOff(port, bytesOf(ready))
      if (ready.pace === 'slowly' && ready.body.length > PIECES) {
        const all = bytesOf(ready)
        const size = Math.ceil(all.length / PIECES)
        return sendBytes(
          port,
          Array.from({ length: PIECES }, (_, i) => all.subarray(i * size, (i + 1) * size)),
        )
      }
      return ask(agent, port, ready)
    },
    close: () => agent.destroy(),
  }
}

function bytesOf(ready: Ready): Buffer {
  return Buffer.concat([Buffer.from(headOf(ready), 'utf8'), ready.body])
}

function headOf({ method, path, headers, body }: Ready): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n`
}

async function ask(agent: Agent, port: number, { method, path, headers, body }: Ready): Promise<Heard> {
  const begin = performance.now()
  const ms = () => performance.now() - begin
  try {
    const length = method === 'POST' || body.length > 0 ? { 'content-length': body.length } : {}
    const options = { agent, host: '127.0.0.1', port, method, path, headers: { ...headers, ...length } }
    const sent = request({ ...options, signal: AbortSignal.timeout(PATIENCE_MS) })
    // What was refused before its end may be cut off while it is still sent.
    sent.on('error', () => {})
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const begun = ms()
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    return {
      ...(answer.statusCode !== undefined && { status: answer.statusCode }),
      headers: answer.headers,
      text,
      ms: begun,
    }
  } catch (error) {
    return { ...NOTHING, text: String(error), ms: ms() }
  }
}

/** Writes in pieces and reads until the other end closes, or has answered. */
async function sendBytes(port: number, pieces: readonly Buffer[]): Promise<Heard> {
  const socket = connect({ port, host: '127.0.0.1' })
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => (text += chunk))
  const over = new Promise<void>((resolve) => {
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    // An answer to what stays open: its head is enough.
    socket.on('data', () => setTimeout(resolve, 20))
  })
  for (const [i, piece] of pieces.entries()) {
    if (i > 0) await sleep(BETWEEN_PIECES_MS)
    if (!socket.destroyed) socket.write(piece)
  }
  const begin = performance.now()
  // What says that more is to come is left waiting, as its sender does.
  await Promise.race([over, sleep(3_000, undefined, { ref: false })])
  const ms = performance.now() - begin
  socket.destroy()
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  const headers = Object.fromEntries(
    (text.split('\r\n\r\n')[0] ?? '')
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  )
  return {
    ...(status !== undefined && { status: Number(status) }),
    headers,
    text,
    ms: status === undefined ? 0 : ms,
  }
}

async function cutOff(port: number, all: Buffer): Promise<Heard> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  socket.write(all.subarray(0, Math.ceil(all.length * 0.8)))
  await sleep(BETWEEN_PIECES_MS)
  socket.destroy()
  return { ...NOTHING, ms: 0 }
}
