import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { refuse } from '../../contract/errors.ts'
import { networkOf } from './address.ts'
import type { Admission } from './admission.ts'
import { byteCount } from './streams.ts'
import { createTally } from './tally.ts'

/** How much may be open, and on its way in, at once; of one: a person, or an address without a session. */
export interface InFlightLimits {
  connections: number
  connectionsOfOne: number
  /** Bytes of bodies that are kept in memory, as their headers say. */
  bodyBytes: number
  bodyBytesOfOne: number
}

const MIB = 1024 * 1024

/** For a thousand people with a browser's six connections each, behind few addresses; a file of an import has 8 MB. */
export const IN_FLIGHT: InFlightLimits = {
  connections: 8_192,
  connectionsOfOne: 4_096,
  bodyBytes: 64 * MIB,
  bodyBytesOfOne: 24 * MIB,
}

/**
 * Bounds what those who connect make the server hold (rules/running#in-flight).
 * @param isProxied whether proxies are in front: then an address stands for many, and they count connections
 */
export function limitInFlight(
  app: FastifyInstance,
  admission: Admission,
  { isProxied, limits }: { isProxied: boolean; limits: InFlightLimits },
): void {
  app.server.maxConnections = limits.connections
  if (!isProxied) limitConnections(app, limits.connectionsOfOne)

  const bytesOf = createTally()
  let bytesOfAll = 0
  // After what is refused by headers alone.
  app.addHook('preParsing', async (request) => {
    const bytes = keptBytes(request)
    if (bytes === 0) return
    const whose = admission.lineOf(request)
    if (bytesOf.of(whose) + bytes > limits.bodyBytesOfOne || bytesOfAll + bytes > limits.bodyBytes)
      refuse('UNAVAILABLE', { retryAfterSeconds: 5 })
    bytesOf.add(whose, bytes)
    bytesOfAll += bytes
    // It has arrived, or never will; what waits then is limited by its turns.
    let isOver = false
    const release = () => {
      if (isOver) return
      isOver = true
      bytesOfAll -= bytes
      bytesOf.add(whose, -bytes)
    }
    request.raw.once('end', release).once('close', release)
  })
}

/** How much of a body there may be in memory: a file is not kept there, and what is too large is not read. */
function keptBytes({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.config.streams) return 0
  const { bodyLimit } = routeOptions
  if ('transfer-encoding' in headers) return bodyLimit
  const bytes = byteCount(headers['content-length']) ?? 0
  return bytes > bodyLimit ? 0 : bytes
}

function limitConnections(app: FastifyInstance, most: number): void {
  const open = createTally()
  app.server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    socket.once('close', () => open.add(network, -1))
    if (open.add(network, 1) > most) socket.destroy()
  })
}
