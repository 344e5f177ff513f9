import { randomBytes } from 'node:crypto'
import { request, type IncomingMessage, type RequestOptions } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const CHUNK = randomBytes(256 * 1024)

/** So many bytes, made as they go. */
export function* bytes(total: number): Generator<Buffer> {
  for (let left = total; left > 0; left -= CHUNK.length)
    yield left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK
}

/** A request whose body is a stream. @returns the answer's status, headers and how many bytes it had */
export async function send(
  options: RequestOptions,
  body: Iterable<Uint8Array> = [],
): Promise<{ status: number; headers: IncomingMessage['headers']; received: number; text: string }> {
  const call = request({ host: '127.0.0.1', ...options })
  const answered = new Promise<IncomingMessage>((resolve, reject) =>
    call.on('response', resolve).on('error', reject),
  )
  await pipeline(Readable.from(body, { objectMode: false, highWaterMark: 1024 * 1024 }), call)
  const answer = await answered
  let received = 0
  let text = ''
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    received += chunk.length
    if (received < 10_000) text += chunk.toString()
  }
  return { status: answer.statusCode ?? 0, headers: answer.headers, received, text }
}
