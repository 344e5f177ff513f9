import type { Endpoint } from '../../../contract/endpoint.ts'
import { API_BASE } from '../../../contract/envelope.ts'
import type { Domain } from '../../../contract/index.ts'
import {
  type ByteRoute,
  continueUpload,
  followLink,
  lookAtUpload,
} from '../../../contract/notices/byte-routes.ts'
import { watchNotifications } from '../../../contract/notifications/stream.ts'
import { failuresOf, type Json } from './failures.ts'

const whole = { type: 'integer', minimum: 0 }
const offset = {
  'Upload-Offset': { description: 'How many bytes are there: the next one goes here.', schema: whole },
}

const header = (name: string, schema: Json, description: string, required = true): Json => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})

const TUS = header('Tus-Resumable', { const: '1.0.0' }, 'The version of the tus protocol.')

const OF_FILE: Json = {
  'Content-Disposition': {
    description: 'attachment, with the name of the file.',
    schema: { type: 'string' },
  },
  'Accept-Ranges': { schema: { const: 'bytes' } },
  ETag: { schema: { type: 'string' } },
}
const OCTETS = 'application/octet-stream'

/** Headers of a request for a range of a file. */
export const RANGE_HEADERS: Json[] = [
  header('Range', { type: 'string' }, 'One range, `bytes=from-to`; anything else is ignored.', false),
  header('If-Range', { type: 'string' }, "The file's ETag; another one, and the whole file comes.", false),
]

/** Response with a file, whole or as a range. */
export const FILE_ANSWERS: Json = {
  200: {
    description: 'The file, raw; its name is in Content-Disposition.',
    headers: OF_FILE,
    content: { [OCTETS]: {} },
  },
  206: {
    description: 'The part of the file that Range names, raw.',
    headers: {
      ...OF_FILE,
      'Content-Range': { description: '`bytes from-to/size`', schema: { type: 'string' } },
    },
    content: { [OCTETS]: {} },
  },
}

/** Returns whether a call answers with a file of which clients can request ranges. */
export function answersRanges({ answer, errors }: Endpoint): boolean {
  return answer === 'file' && errors.includes('RANGE_INVALID')
}

/** Details of each request outside the envelope. */
const ROUTES: readonly { domain: Domain; id: string; route: ByteRoute; more: Json }[] = [
  {
    domain: 'notices',
    id: 'lookAtUpload',
    route: lookAtUpload,
    more: {
      parameters: [TUS],
      responses: {
        200: {
          description: 'Where the upload goes on.',
          headers: {
            ...offset,
            'Upload-Length': { description: 'How many bytes it will have.', schema: whole },
          },
        },
      },
    },
  },
  {
    domain: 'notices',
    id: 'continueUpload',
    route: continueUpload,
    more: {
      parameters: [TUS, header('Upload-Offset', whole, 'Where these bytes go: as HEAD answered.')],
      requestBody: { required: true, content: { 'application/offset+octet-stream': {} } },
      responses: { 204: { description: 'The bytes are kept.', headers: offset } },
    },
  },
  {
    domain: 'notices',
    id: 'followLink',
    route: followLink,
    // The link alone opens the file, but the session that created it must still have access.
    more: { parameters: RANGE_HEADERS, responses: FILE_ANSWERS, security: [{}] },
  },
  {
    domain: 'notifications',
    id: 'watchNotifications',
    route: watchNotifications,
    more: {
      responses: {
        200: {
          description: 'Server-sent events, each with the data `new`; comments between them keep it open.',
          content: { 'text/event-stream': {} },
        },
      },
    },
  },
]

/**
 * Returns the OpenAPI path items of the routes without the JSON envelope: upload bytes, download links and the notification stream.
 * @param responses the error responses that all operations share
 */
export function byteRoutePaths(responses: Json): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const { domain, id, route, more } of ROUTES) {
    const { method, url, summary, needs, errors } = route
    const name = /\{(\w+)\}$/.exec(url)?.[1]
    const parameters = [{ name, in: 'path', required: true, schema: { type: 'string' } }]
    const path = (paths[API_BASE + url] ??= name === undefined ? {} : { parameters })
    path[method.toLowerCase()] = {
      operationId: `${domain}.${id}`,
      tags: [domain],
      summary,
      description: 'Outside the envelope.',
      security: [{ session: [] }],
      'x-access': needs.access,
      ...more,
      // A response to HEAD has no body, so its status alone shows the refusal.
      responses: { ...(more['responses'] as Json), ...failuresOf(errors, responses) },
    }
  }
  return paths
}
