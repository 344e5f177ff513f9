import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
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
 * Cuts off bodies that take too long: a call's after `maxBodyMs`, a file's when nothing has moved for `maxStallMs`; and a client
 * that takes nothing for so long of a file on its way out, whose stream and place are then given back.
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

  app.addHook('onSend', async (_request, reply, payload) => {
    if (payload instanceof Readable) cutWhenNotTaken(reply.raw, maxStallMs)
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

/** Where nothing waits to be taken it is not the client who is slow. */
function cutWhenNotTaken(answer: ServerResponse, maxStallMs: number): void {
  let seen = -1
  const timer = setInterval(() => {
    const { socket } = answer
    if (socket === null) return
    const taken = socket.bytesWritten - socket.writableLength
    if (socket.writableLength > 0 && taken === seen) socket.destroy()
    seen = taken
  }, maxStallMs)
  answer.once('close', () => clearInterval(timer))
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

/** What comes until a signal says to stop; then it throws the signal's reason, whatever it waits for. */
export async function* untilStopped(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  stopped.catch(() => {})
  const chunks = content[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([chunks.next(), stopped])
    if (next.done === true) return
    yield next.value
  }
}

/** A header that counts bytes; undefined where it is not there, or no such number. */
export function byteCount(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
