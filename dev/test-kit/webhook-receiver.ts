import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to the receiver; `id` is that of the event. */
export interface ReceivedRequest {
  id: string
  headers: IncomingHttpHeaders
  body: string
}

/** A server that receives webhooks on loopback. */
export interface WebhookReceiver {
  /** Port of the server, the same after a restart. */
  port: number
  url: string
  /** All requests since the start, also those that got no response. */
  received: ReceivedRequest[]
  /** Sets the status and the headers of further responses; 200 at first. */
  answer(status: number, headers?: Record<string, string>): void
  /** Stops responding to further requests (`true`), or responds again. */
  hold(isHeld: boolean): void
  /** Returns the number of connections since the start. */
  connections(): number
  /** Closes all connections and stops the server: new connections are refused. May be repeated. */
  stop(): Promise<void>
  /** Starts the server again, on the same port. */
  start(): Promise<void>
}

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startReceiver(): Promise<WebhookReceiver> {
  let port = 0
  let server: Server | undefined
  let status = 200
  let sent: Record<string, string> = {}
  let isSilent = false
  let opened = 0
  const received: ReceivedRequest[] = []

  /** Starts the server: on a free port at first, and then on the same one. */
  async function start(): Promise<void> {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const body = Buffer.concat(parts).toString()
        received.push({ id: String(request.headers['webhook-id']), headers: request.headers, body })
        if (!isSilent) response.writeHead(status, sent).end('received')
      })
    })
    server.on('connection', () => (opened += 1))
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    ;({ port } = server.address() as AddressInfo)
  }

  /** Closes all connections, and stops the server. */
  async function stop(): Promise<void> {
    server?.closeAllConnections()
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined))
    server = undefined
  }

  await start()
  return {
    port,
    url: `http://127.0.0.1:${port}/events`,
    received,
    answer(next, headers = {}) {
      status = next
      sent = headers
    },
    hold(isHeld) {
      isSilent = isHeld
    },
    connections: () => opened,
    stop,
    start,
  }
}
