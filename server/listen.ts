import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from './config.ts'
import { StartRefusal } from './start-refusal.ts'

/**
 * Serves at host and port of the configuration.
 * @throws {StartRefusal} when they are taken, or not this machine's to give
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: Pick<Config, 'host' | 'port'>,
): Promise<void> {
  try {
    await app.ready()
    // Not app.listen: it logs a line per address in front of ours.
    app.server.listen({ port, host })
    await once(app.server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      throw new StartRefusal(`PORT ${port} is taken by another program. Stop it, or set PORT to a free one.`)
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartRefusal(
        `HOST ${host} with PORT ${port} cannot be listened on (${code}). Set HOST and PORT to what this machine may serve.`,
      )
    }
    throw error
  }
}

/**
 * Watches the connections that have not asked anything yet. Browsers open them ahead, Node.js takes them for busy ones, and
 * a stop would wait for them until the drain's end.
 * @returns what closes them, and those that come after it
 */
export function watchUnused(server: Server): () => void {
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
