import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { refuse } from '../../contract/errors.ts'
import { BrokenConnection } from './failure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is left to the handler as it comes; it may take as long as it moves. */
    streams?: true
  }
}

/** How long the rest of a body is discarded after the answer, so that the client gets to read the answer. */
const LINGER_MS = 2_000

/**
 * Cuts off bodies that take too long: a call's after `maxBodyMs`, a file's when nothing has moved for `maxStallMs`.
 * Stops reading the rest of a body once its request is answered.
 */
export function limitBodies(
  app: FastifyInstance,
  { maxBodyMs, maxStallMs }: { maxBodyMs: number; maxStallMs: number },
): void {
  // Not Fastify's requestTimeout, which is the same for all: an upload of 1000 MB may take as long as it moves.
  app.addHook('preParsing', async (request) => {
    const { raw } = request
    const timer = request.routeOptions.config.streams
      ? cutWhenStalled(raw, maxStallMs)
      : setTimeout(() => cut(raw), maxBodyMs)
    raw.once('close', () => clearTimeout(timer))
  })

  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => cut(raw), LINGER_MS)
    raw.once('close', () => clearTimeout(timer))
  })
}

function cut(raw: IncomingMessage): void {
  if (!raw.complete) raw.destroy()
}

function cutWhenStalled(raw: IncomingMessage, maxStallMs: number): NodeJS.Timeout {
  let seen = raw.socket.bytesRead
  return setInterval(() => {
    if (raw.socket.bytesRead === seen) cut(raw)
    seen = raw.socket.bytesRead
  }, maxStallMs)
}

/** The body of a streamed request; it fails where the connection breaks, and may be destroyed without cutting that. */
export function bodyOf({ raw }: FastifyRequest): Readable {
  const body = raw.pipe(new PassThrough())
  raw.once('error', () => {})
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new BrokenConnection('The connection broke'))
  })
  return body
}

/** @throws {Refusal} FILE_TOO_LARGE with the first byte too many */
export async function* atMost(max: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of content) {
    total += chunk.length
    if (total > max) refuse('FILE_TOO_LARGE')
    yield chunk
  }
}

/** A header that counts bytes; undefined where it is not there, or no such number. */
export function byteCount(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
