import { createCipheriv } from 'node:crypto'
import * as z from 'zod/mini'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { fromWire, toWire, type WireCall } from '../../contract/wire.ts'
import { createEnvelope } from '../../server/http/envelope.ts'

/** A request body with this text in the envelope, which need not be JSON. */
export function bodyOf(text: string): string {
  const cipher = createCipheriv('aes-256-cbc', DEFAULT_ENVELOPE.key, DEFAULT_ENVELOPE.iv)
  return JSON.stringify({ DATA: cipher.update(text, 'utf8', 'base64') + cipher.final('base64') })
}

const envelope = createEnvelope(DEFAULT_ENVELOPE)

/** Returns the call with this path; one without fields where the contract has none. */
export function callAt(path: string): WireCall {
  const entry = endpoints.find(({ endpoint }) => endpoint.path === path)
  return entry?.endpoint ?? { path: path as WireCall['path'], input: z.object({}), output: z.object({}) }
}

/** The body of a request as a client sends it. @param input as the code says it */
export function sealed(endpoint: WireCall, input: unknown): string {
  return JSON.stringify({ DATA: envelope.seal(toWire(endpoint, input)) })
}

/** The output in the body of an answer, as the code says it; undefined when there is none, as in a failure. */
export function unsealed(endpoint: WireCall, body: string | { DATA?: string }): unknown {
  const { DATA } = typeof body === 'string' ? (JSON.parse(body) as { DATA?: string }) : body
  return DATA === undefined
    ? undefined
    : fromWire(endpoint, envelope.open(Buffer.from(JSON.stringify({ DATA }))))
}
