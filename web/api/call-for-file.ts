import type { Endpoint, InputOf } from '../../contract/endpoint.ts'
import { type CallOptions, post, withErrorHandling } from './client.ts'

/** Options of a call that returns a file. */
export interface ReceiveOptions extends CallOptions {
  /** Called as bytes arrive. The total is Infinity if the server does not send it. */
  onProgress?: (receivedBytes: number, totalBytes: number) => void
}

/**
 * Makes a call that returns a file, and reads the file into memory. Reauthenticates and repeats like `call`, but has no
 * timeout.
 * @throws {CallError} like `call`
 */
export function callForFile<E extends Endpoint & { answer: 'file' }>(
  endpoint: E,
  input: InputOf<E>,
  options: ReceiveOptions = {},
): Promise<Blob> {
  return withErrorHandling(options, async (uid) => {
    const response = await post(endpoint, input, uid, options)
    return receive(response, options)
  })
}

/** Reads the body of a response into memory, and reports the progress. */
async function receive(response: Response, { onProgress }: ReceiveOptions): Promise<Blob> {
  const total = lengthOf(response)
  if (response.body === null || onProgress === undefined) return response.blob()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = response.body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value)
    received += read.value.length
    onProgress(received, total)
  }
  return new Blob(parts)
}

/** Returns the size of a body in bytes, Infinity if the header is missing. */
function lengthOf(response: Response): number {
  return Number(response.headers.get('Content-Length') ?? Infinity)
}
