import { randomBytes } from 'node:crypto'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Bytes that the stream of `bytes` repeats, random in each process. */
const CHUNK = randomBytes(256 * 1024)

/** Yields this many bytes of an endless, repeating stream, from an offset on. They are created as they are sent. */
export function* bytes(total: number, from = 0): Generator<Buffer> {
  let at = from % CHUNK.length
  for (let left = total; left > 0; at = 0) {
    const chunk = CHUNK.subarray(at, at + left)
    yield chunk
    left -= chunk.length
  }
}

/**
 * Sends a request to this machine, by default 127.0.0.1, with a streamed body. Any status resolves.
 * @param onChunk receives the chunks of the response
 * @returns status and headers, the number of bytes received, and the beginning of the text (less than 10,000 bytes)
 * @throws the error of a broken connection
 */
export async function send(
  options: RequestOptions,
  body: Iterable<Uint8Array> = [],
  onChunk?: (chunk: Buffer) => void,
): Promise<{ status: number; headers: IncomingMessage['headers']; received: number; text: string }> {
  const call = request({ host: '127.0.0.1', ...options })
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    call.on('response', resolve).on('error', reject),
  )
  // Both are waited for: a connection that breaks fails both.
  const [answer] = await Promise.all([
    answered,
    pipeline(Readable.from(body, { objectMode: false, highWaterMark: 1024 * 1024 }), call),
  ])
  let received = 0
  let text = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    received += chunk.length
    onChunk?.(chunk)
    if (received < 10_000) text += chunk.toString()
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, received, text }
}
