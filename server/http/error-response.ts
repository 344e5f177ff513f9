import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { PLAIN_BASE } from '../../contract/envelope.ts'
import { ERRORS, type ErrorCode, type Failure, Refusal } from '../../contract/errors.ts'
import { catalogues } from '../../contract/messages/index.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import { type Language, preferredLanguage } from '../../contract/messages/language.ts'
import { describeIssue } from '../../contract/validation.ts'
import type { WireNames } from '../../contract/wire.ts'
import { isDatabaseAway } from '../db/unavailable.ts'
import { isDiskFull } from '../services/disk-space.ts'
import { isStorageAway } from '../services/storage/unavailable.ts'
import { answerScimFailure, isScim, type ScimProblem } from './scim-failure.ts'
import { addRequestNotes } from './refusal-tracking.ts'

/** Returns the language of the response to a request, from its header Accept-Language (rules/frame#languages). */
export function languageOf(request: FastifyRequest): Language {
  return preferredLanguage(request.headers['accept-language'])
}

/** Returns whether a request is a plain call, whose failures are problems (rules/wire#problems). */
export const isPlain = ({ url }: FastifyRequest): boolean => url.startsWith(`${PLAIN_BASE}/`)

/**
 * Returns the HTTP status of an error code in a plain call. Some codes with the status 400 in the envelope have a more exact
 * one here: 404 for a missing record, 409 for a value in use, a changed record or a decided request, and 403 for
 * FUNCTION_DENIED.
 */
export function plainStatusOf(code: ErrorCode): number {
  if (ERRORS[code] !== 400) return ERRORS[code]
  if (code.endsWith('_NOT_FOUND')) return 404
  if (code.endsWith('_TAKEN') || code === 'RECORD_CHANGED' || code === 'REQUEST_DECIDED') return 409
  return code === 'FUNCTION_DENIED' ? 403 : 400
}

/** Titles of the statuses of plain calls. */
const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/**
 * Sends a refusal, never encrypted (rules/wire#failure): the status and message of its code, for a plain call as a problem, for
 * SCIM in the format of RFC 7644. Notes the code, by which the refusal is recorded.
 * @param extra `msg` replaces the message of the code, and `about` is added to it in brackets; `field` is the wire name of the
 * invalid field; `retryAfterSeconds` becomes Retry-After; `raisesRights` is true if the call would have granted permissions;
 * `ticket` continues a login with a second factor; `scim` replaces parts of a SCIM failure
 */
export function answerFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  extra: {
    msg?: string
    field?: string | undefined
    retryAfterSeconds?: number | undefined
    about?: readonly string[]
    raisesRights?: boolean
    ticket?: string | undefined
    scim?: ScimProblem
  } = {},
): FastifyReply {
  addRequestNotes(request, { code, raisesRights: extra.raisesRights === true })
  const language = isScim(request) ? 'en' : languageOf(request)
  const text = extra.msg ?? catalogues[language].errors[code]
  const msg = extra.about?.length ? `${text} (${extra.about.join(', ')})` : text
  const failure: Failure = { code, msg }
  if (extra.field !== undefined) failure.field = extra.field
  if (extra.ticket !== undefined) failure.ticket = extra.ticket
  if (extra.retryAfterSeconds !== undefined) reply.header('Retry-After', extra.retryAfterSeconds)
  if (isScim(request))
    return answerScimFailure(reply, { status: plainStatusOf(code), code, detail: msg, ...extra.scim })
  if (!isPlain(request)) return reply.status(ERRORS[code]).send(failure)
  const status = plainStatusOf(code)
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer')
  const problem = {
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail: msg,
    code,
    field: failure.field,
    requestId: request.id,
  }
  return reply.status(status).type('application/problem+json').send(JSON.stringify(problem))
}

/** Error of an invalid input that no schema has parsed. The response is INPUT_INVALID with its field. */
export class InputRefusal extends Error {
  override readonly name = 'InputRefusal'
  /** Name of the field in the code. */
  readonly field: string
  /** Name of the field in requests. */
  readonly wireName: string

  /**
   * @param key of `messages.validation`
   * @param field name of the field in the code
   */
  constructor(key: keyof Messages['validation'], field: string, wireName: string) {
    super(key)
    this.field = field
    this.wireName = wireName
  }
}

/** Error of an input that does not match its schema. The response is INPUT_INVALID with its field. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
  readonly issue: z.core.$ZodIssue
  readonly names: Pick<WireNames, 'toWire'>

  constructor(issue: z.core.$ZodIssue, names: Pick<WireNames, 'toWire'>) {
    super(issue.message)
    this.issue = issue
    this.names = names
  }
}

/**
 * Error if the client has closed the connection or stopped sending. It is not logged, and no client receives the
 * response.
 */
export class BrokenConnection extends Error {
  override readonly name = 'BrokenConnection'
}

/**
 * Sends the response for an error: a refusal with its code, an invalid input as INPUT_INVALID with its field (without one
 * for a text with NUL), a body that cannot be read with the code of the reason, and a broken connection as UNAVAILABLE.
 * These are not logged. The following are: a full disk as DISK_FULL and a storage or database that is unavailable as
 * UNAVAILABLE, both with Retry-After, and every other error as UNEXPECTED, which reveals nothing to the caller. All errors
 * of a request pass through this function.
 */
export function answerError(
  error: FastifyError | Refusal | InvalidInput | InputRefusal | BrokenConnection,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof InvalidInput) {
    const { field, msg } = describeIssue(catalogues[languageOf(request)], error.issue)
    return answerFailure(request, reply, 'INPUT_INVALID', { field: field && error.names.toWire(field), msg })
  }
  if (error instanceof InputRefusal) {
    const { field, wireName } = error
    const { msg } = describeIssue(catalogues[languageOf(request)], {
      code: 'custom',
      path: [field],
      message: error.message,
      input: undefined,
    })
    return answerFailure(request, reply, 'INPUT_INVALID', { field: wireName, msg })
  }
  // No client is left to read the response.
  if (error instanceof BrokenConnection) return answerFailure(request, reply, 'UNAVAILABLE')
  if (error instanceof Refusal) {
    return answerFailure(request, reply, error.code, error)
  }
  if (error.statusCode === 413) return answerFailure(request, reply, 'PAYLOAD_TOO_LARGE')
  if (error.statusCode === 415) return answerFailure(request, reply, 'CONTENT_TYPE_UNSUPPORTED')
  // Errors of Fastify about a body or a header.
  if (error.statusCode !== undefined && error.statusCode < 500)
    return answerFailure(
      request,
      reply,
      isPlain(request) || isScim(request) ? 'INPUT_INVALID' : 'ENVELOPE_INVALID',
    )
  // SQLSTATE 22021: a text with NUL, which must come from the input, because no row can have one.
  if (error.code === '22021') return answerFailure(request, reply, 'INPUT_INVALID')
  if (isDiskFull(error)) {
    request.log.error({ err: error }, 'disk full')
    return answerFailure(request, reply, 'DISK_FULL', { retryAfterSeconds: DISK_FULL_SECONDS })
  }
  if (isStorageAway(error)) {
    request.log.error({ err: error }, 'storage away')
    return answerFailure(request, reply, 'UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  if (isDatabaseAway(error)) {
    request.log.error({ err: error }, 'the database is unavailable')
    return answerFailure(request, reply, 'UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  request.log.error({ err: error }, 'unexpected error')
  return answerFailure(request, reply, 'UNEXPECTED')
}

/** Seconds until a call refused by a full disk may be repeated. An operator has to free space first. */
export const DISK_FULL_SECONDS = 30
