import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Endpoint, maxBytesOf } from '../../contract/endpoint.ts'
import { PLAIN_BASE } from '../../contract/envelope.ts'
import { refuse } from '../../contract/errors.ts'
import { fromPlain, toPlain } from '../../contract/plain.ts'
import { authenticateProgram } from './authorize.ts'
import { refuseCrossSite, refuseOtherTypes } from './cross-site.ts'
import type { CallerOf, Handler } from './handler.ts'
import { createInvocation, type InvokeOptions } from './invoke.ts'
import { isWithinJsonLimits } from './json-limits.ts'
import { DOCUMENT_PATH, PASSWORD_FIELD, plainDocument } from './plain-document.ts'
import { requestNotes } from './refusal-tracking.ts'

/**
 * Mounts a call of the contract as plain JSON (rules/wire#plain-calls); does nothing if the call has no scope. Only
 * program tokens can make it. Failures are problems (RFC 9457), and all responses to a known caller have RateLimit
 * headers.
 * @param id domain and name of the call
 */
export function mountPlain<E extends Endpoint>(
  app: FastifyInstance,
  id: string,
  endpoint: E,
  handler: Handler<E>,
  options: InvokeOptions,
): void {
  if (endpoint.scope === undefined) return
  const { limitCalls, findSender, invoke } = createInvocation(endpoint, handler, options, {
    authenticate: async (request) =>
      (await authenticateProgram(request, endpoint, options)) as CallerOf<E['access']>,
    read: async (request) => {
      const input = fromPlain(parse(request.body as Buffer | undefined))
      return { input: endpoint.confirmed === 'password' ? withoutPassword(input) : input }
    },
    names: { toWire: (name) => name },
  })

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { output } = await invoke(request)
    // The schema strips fields that the contract does not have.
    return reply.type('application/json').send(JSON.stringify(toPlain(endpoint.output.parse(output))))
  }

  /** Adds the RateLimit headers of a known caller, to refusals too. */
  const onSend = async (request: FastifyRequest, reply: FastifyReply) => {
    const { person } = requestNotes(request)
    const state = person && (await options.callLimits.stateOf(endpoint.perPerson, person.id))
    if (state === undefined) return
    reply.header('RateLimit-Policy', `"${endpoint.perPerson}";q=${state.points};w=${state.seconds}`)
    reply.header('RateLimit', `"${endpoint.perPerson}";r=${state.left};t=${state.resetSeconds}`)
  }

  const onRequest = [refuseCrossSite, refuseOtherTypes, limitCalls, findSender]
  app.post(`${PLAIN_BASE}/${id}`, { bodyLimit: maxBytesOf(endpoint), onRequest, onSend }, answer)
}

/** Mounts the OpenAPI document of the plain calls. It contains no data, so anyone may read it. */
export function mountPlainDocument(app: FastifyInstance): void {
  let text: string | undefined
  app.get(DOCUMENT_PATH, async (_request, reply) =>
    reply.type('application/json').send((text ??= JSON.stringify(plainDocument()))),
  )
}

/**
 * Returns an input with a placeholder for the administrator password, which a program does not enter
 * (rules/keys#unattended-changes).
 * @throws {Refusal} INPUT_INVALID if the input has a password
 */
function withoutPassword(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  if (Object.hasOwn(input, PASSWORD_FIELD)) refuse('INPUT_INVALID')
  return { ...input, [PASSWORD_FIELD]: 'none' }
}

/**
 * Parses a body.
 * @param body undefined for a call without fields, which is parsed as `{}`
 * @throws {Refusal} INPUT_INVALID if it is no JSON in UTF-8, or exceeds the limits of JSON
 */
function parse(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return {}
  if (!isWithinJsonLimits(body)) refuse('INPUT_INVALID')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return refuse('INPUT_INVALID')
  }
}
