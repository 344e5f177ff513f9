import { createCipheriv, createDecipheriv } from 'node:crypto'
import * as z from 'zod/mini'
import { DEFAULT_ENVELOPE } from '../../contract/envelope.ts'
import { endpoints } from '../../contract/index.ts'
import { fromWire, toWire, type WireCall } from '../../contract/wire.ts'
import { createEnvelope } from '../../server/http/envelope.ts'

/** Returns a request body with a text in the envelope of the default key. The text need not be JSON. */
export function bodyOf(text: string): string {
  const cipher = createCipheriv('aes-256-cbc', DEFAULT_ENVELOPE.key, DEFAULT_ENVELOPE.iv)
  return JSON.stringify({ DATA: cipher.update(text, 'utf8', 'base64') + cipher.final('base64') })
}

/** Envelope with the default key. */
const envelope = createEnvelope(DEFAULT_ENVELOPE)

/** Returns the call with this path; a call without fields if the contract has none. */
export function callAt(path: string): WireCall {
  const entry = endpoints.find(({ endpoint }) => endpoint.path === path)
  return entry?.endpoint ?? { path: path as WireCall['path'], input: z.object({}), output: z.object({}) }
}

/**
 * Returns the request body of a client, in the envelope.
 * @param input with the field names of the code
 */
export function sealInput(endpoint: WireCall, input: unknown): string {
  return JSON.stringify({ DATA: envelope.seal(toWire(endpoint, input)) })
}

/**
 * Decrypts the output of a response, with the field names of the code.
 * @returns undefined if the body has no DATA, as in a failure
 * @throws {Error} if the DATA is not of the default key
 */
export function openOutput(endpoint: WireCall, body: string | { DATA?: string }): unknown {
  const { DATA } = typeof body === 'string' ? (JSON.parse(body) as { DATA?: string }) : body
  if (DATA === undefined) return undefined
  const decipher = createDecipheriv('aes-256-cbc', DEFAULT_ENVELOPE.key, DEFAULT_ENVELOPE.iv)
  return fromWire(endpoint, JSON.parse(decipher.update(DATA, 'base64', 'utf8') + decipher.final('utf8')))
}
