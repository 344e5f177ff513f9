import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'
import type { ByteRange } from '../services/storage.ts'
import type { FileAnswer } from './handler.ts'

/**
 * Sends a file as an attachment. If its size is known, it sends the requested byte range (RFC 9110: 206, 416, If-Range). Opens
 * the file only if the range is valid.
 * @throws {Refusal} RANGE_INVALID if the range is not within the file; and as `open` of the file
 */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: FileAnswer,
): Promise<FastifyReply> {
  const { size } = file
  const etag = etagOf(file)
  if (size !== undefined) reply.header('Accept-Ranges', 'bytes')
  const range = rangeOf(request, file)
  if (range === null) {
    reply.header('Content-Range', `bytes */${size}`)
    refuse('RANGE_INVALID')
  }
  const stream = await file.open(range)
  if (range !== undefined) {
    reply.status(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  }
  const length = range === undefined ? size : range.end - range.start + 1
  if (length !== undefined) reply.header('Content-Length', length)
  if (etag !== undefined) reply.header('ETag', etag)
  return reply
    .header('Content-Type', file.type ?? 'application/octet-stream')
    .header('Content-Disposition', attachment(file.name))
    .send(stream)
}

/** Returns the header ETag of a file; undefined without a tag. */
function etagOf({ tag }: FileAnswer): string | undefined {
  return tag === undefined ? undefined : `"${tag}"`
}

/**
 * Returns the requested byte range of a file.
 * @returns undefined for the whole file, also for a header that a server may ignore or another version of the file;
 * null for a range that is not within it
 */
export function rangeOf({ headers }: FastifyRequest, file: FileAnswer): ByteRange | null | undefined {
  const { size } = file
  if (size === undefined) return undefined
  const condition = headers['if-range']
  // The client has the beginning of another version: send the whole file.
  if (condition !== undefined && condition !== etagOf(file)) return undefined
  // RFC 9110 allows a server to ignore several ranges, other units and malformed ranges.
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (from === '' && to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? null : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return undefined
  return start < size ? { start, end } : null
}

/** Returns the header Content-Disposition: with the Korean name by RFC 5987, and a plain name for old clients. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(name)}`
}

/** Returns a text in the percent-encoding of RFC 5987. */
function encodeRfc5987(name: string): string {
  // A lone surrogate cannot be encoded, so it is replaced.
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
