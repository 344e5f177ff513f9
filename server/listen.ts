import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from './config.ts'
import { StartRefusal } from './startup-error.ts'

/**
 * Error codes of a host or port on which `listen` cannot listen. The last two are those of a name that is unknown, or
 * that no resolver answers.
 */
const UNUSABLE = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']

/**
 * Listens on the configured host and port; port 0 means any free one.
 * @throws {StartRefusal} if they are in use, cannot be used by this user, or do not belong to this machine
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.ready()
    // Not app.listen, because it logs one line per address before Maru's own.
    app.server.listen({ port, host })
    await once(app.server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new StartRefusal(
        `PORT ${port} is already in use. Stop the other program, or set PORT to a free port.`,
      )
    }
    if (UNUSABLE.some((each) => each === code)) {
      throw new StartRefusal(
        `HOST ${host} with PORT ${port} cannot be used (${String(code)}). Set HOST and PORT to an address and port of this machine.`,
      )
    }
    throw error
  }
}

/**
 * Tracks connections without a request. Browsers open them in advance, Node.js treats them as busy, and a stop would
 * wait for them until the drain ends.
 * @returns a function that closes them, and from then on every new connection
 */
export function trackUnusedConnections(server: Server): () => void {
  const unused = new Set<Socket>()
  let isClosing = false
  server.on('connection', (socket) => {
    if (isClosing) socket.destroy()
    else unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return () => {
    isClosing = true
    for (const socket of unused) socket.destroy()
  }
}
