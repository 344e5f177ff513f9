import type { FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.ts'

/**
 * Refuses a request that a page of another site makes, before its body is read (rules/wire#calls).
 * @throws {Refusal} CROSS_SITE
 */
export async function refuseCrossSite({ headers }: FastifyRequest): Promise<void> {
  if (headers['sec-fetch-site'] === 'cross-site') refuse('CROSS_SITE')
}

/**
 * Refuses a request of another Content-Type than JSON, even without a body: without a preflight request, browsers let
 * pages of other sites send only other types. A request without a Content-Type passes only if it has no body.
 * @throws {Refusal} CONTENT_TYPE_UNSUPPORTED
 */
export async function refuseOtherTypes({ headers }: FastifyRequest): Promise<void> {
  const { 'content-type': type } = headers
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0
  if (type === undefined ? hasBody : !JSON_TYPE.test(type)) refuse('CONTENT_TYPE_UNSUPPORTED')
}

/** Pattern of the header Content-Type of a JSON body, with any parameters. */
const JSON_TYPE = /^\s*application\/json\s*(;|$)/i
