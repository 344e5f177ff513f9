import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { refuse } from '../../../contract/errors.ts'
import { networkOf } from '../../callers/client-address.ts'
import type { Admission } from './admission.ts'
import { parseByteCount } from '../request-body.ts'
import { createKeyedCounter } from './keyed-counter.ts'

/**
 * Limits of open connections and of bodies that arrive, in all and per client. A client is a user, or an address
 * without a session.
 */
export interface InFlightLimits {
  connections: number
  connectionsPerClient: number
  /** Bytes of request bodies in memory, as their headers state. */
  bodyBytes: number
  bodyBytesPerClient: number
}

/** Bytes of a mebibyte. */
const MIB = 1024 * 1024

/** Usual limits: enough for 1,000 users with six connections each behind few addresses. An imported file has 8 MB. */
export const IN_FLIGHT: InFlightLimits = {
  connections: 8_192,
  connectionsPerClient: 4_096,
  bodyBytes: 64 * MIB,
  bodyBytesPerClient: 24 * MIB,
}

/**
 * Adds hooks that limit the connections and the memory of request bodies (rules/running#in-flight). A connection above
 * its limit is closed without a response. A body above its limit is refused with UNAVAILABLE before it is read.
 * @param isProxied true behind proxies. An address then has many clients, and the proxies limit connections
 */
export function limitInFlight(
  app: FastifyInstance,
  admission: Admission,
  { isProxied, limits }: { isProxied: boolean; limits: InFlightLimits },
): void {
  app.server.maxConnections = limits.connections
  if (!isProxied) limitConnections(app, limits.connectionsPerClient)

  const bytesPerClient = createKeyedCounter()
  let allBytes = 0
  // After the checks that need only the headers.
  app.addHook('preParsing', async (request) => {
    const bytes = bytesInMemory(request)
    if (bytes === 0) return
    const client = admission.queueKey(request)
    if (bytesPerClient.get(client) + bytes > limits.bodyBytesPerClient || allBytes + bytes > limits.bodyBytes)
      refuse('UNAVAILABLE', { retryAfterSeconds: 5 })
    bytesPerClient.add(client, bytes)
    allBytes += bytes
    // A body that has arrived counts as queued work, which the queue limits.
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      allBytes -= bytes
      bytesPerClient.add(client, -bytes)
    }
    request.raw.once('end', release).once('close', release)
  })
}

/**
 * Returns the bytes of a body that may be in memory at a time: 0 of a file, which is streamed, and of a body over the limit,
 * which is not read; the limit if the header states no length.
 */
function bytesInMemory({ headers, routeOptions }: FastifyRequest): number {
  if (routeOptions.config.streams) return 0
  const { bodyLimit } = routeOptions
  if ('transfer-encoding' in headers) return bodyLimit
  const bytes = parseByteCount(headers['content-length']) ?? 0
  return bytes > bodyLimit ? 0 : bytes
}

/** Closes new connections of a network that has `most` open. */
function limitConnections(app: FastifyInstance, most: number): void {
  const open = createKeyedCounter()
  app.server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    socket.once('close', () => open.add(network, -1))
    if (open.add(network, 1) > most) socket.destroy()
  })
}
