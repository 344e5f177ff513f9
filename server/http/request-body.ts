import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { refuse } from '../../contract/errors.ts'
import { BrokenConnection } from './error-response.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the handler reads the body as a stream. It may take any time, unless it stalls. */
    streams?: true
  }
}

/**
 * Milliseconds for which the rest of a body is discarded after the response, so that the client can read the response.
 */
const LINGER_MS = 2_000

/**
 * Adds hooks that close connections that are too slow: a call whose body takes longer than `maxBodyMs`, an upload or a download
 * that stalls for `maxStallMs`. A body whose request is answered is discarded, for LINGER_MS at most.
 */
export function limitBodies(
  app: FastifyInstance,
  { maxBodyMs, maxStallMs }: { maxBodyMs: number; maxStallMs: number },
): void {
  // Not Fastify's requestTimeout, which is the same for all routes: an upload of 1,000 MB may take long.
  app.addHook('preParsing', async (request) => {
    const { raw } = request
    const timer = request.routeOptions.config.streams
      ? cutWhenStalled(raw, maxStallMs)
      : setTimeout(() => cut(raw), maxBodyMs)
    raw.once('close', () => clearTimeout(timer))
  })

  app.addHook('onSend', async (_request, reply, payload) => {
    if (payload instanceof Readable) cutWhenNotRead(reply.raw, maxStallMs)
  })

  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.unpipe()
    raw.resume()
    const timer = setTimeout(() => cut(raw), LINGER_MS)
    raw.once('close', () => clearTimeout(timer))
  })
}

/** Closes the connection of a request whose body has not arrived completely. */
function cut(raw: IncomingMessage): void {
  if (!raw.complete) raw.destroy()
}

/**
 * Closes the connection of an upload that has sent no byte for `maxStallMs`.
 * @returns the timer, which the caller clears
 */
function cutWhenStalled(raw: IncomingMessage, maxStallMs: number): NodeJS.Timeout {
  let lastBytes = raw.socket.bytesRead
  return setInterval(() => {
    if (raw.socket.bytesRead === lastBytes) cut(raw)
    lastBytes = raw.socket.bytesRead
  }, maxStallMs)
}

/** Closes a download whose client reads nothing. An empty write buffer means that the server is slow, not the client. */
function cutWhenNotRead(answer: ServerResponse, maxStallMs: number): void {
  let lastSent = -1
  const timer = setInterval(() => {
    const { socket } = answer
    if (socket === null) return
    const sent = socket.bytesWritten - socket.writableLength
    if (socket.writableLength > 0 && sent === lastSent) socket.destroy()
    lastSent = sent
  }, maxStallMs)
  answer.once('close', () => clearInterval(timer))
}

/**
 * Returns the body of a streamed request. It fails with BrokenConnection if the connection breaks. Destroying it does not close
 * the connection.
 */
export function requestBody({ raw }: FastifyRequest): Readable {
  const body = raw.pipe(new PassThrough())
  raw.once('error', () => {})
  raw.once('close', () => {
    if (!raw.complete) body.destroy(new BrokenConnection('The connection broke'))
  })
  return body
}

/**
 * Yields the chunks of content up to a limit of bytes.
 * @throws {Refusal} FILE_TOO_LARGE if it has more bytes
 */
export async function* limitBytes(
  max: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let total = 0
  for await (const chunk of content) {
    total += chunk.length
    if (total > max) refuse('FILE_TOO_LARGE')
    yield chunk
  }
}

/**
 * Yields the chunks of content until a signal aborts. Then it throws the signal's reason, even while it waits for a
 * chunk. Does not close the content.
 */
export async function* abortable(
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

/** Parses a header that states a number of bytes; undefined if it is missing or no such number. */
export function parseByteCount(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
