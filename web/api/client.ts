import * as z from 'zod/mini'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import { API_BASE, SESSION_BINDING_HEADER, SESSION_HEADER } from '../../contract/envelope.ts'
import type { Failure } from '../../contract/errors.ts'
import { fromWire, toWire, wireNames } from '../../contract/wire.ts'
import { currentLanguage, messages } from '../language.tsx'
import { sessionUid, sessionUserId } from '../session.ts'
import { CallError } from './call-error.ts'
import { askToConfirm } from './confirmation.ts'
import { loadConfig } from './config.ts'
import { noteConnection } from './connection.ts'
import { seal, unseal } from './envelope.ts'
import { handleShared } from './shared-handling.ts'

/** How a call is made, beside what it asks. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /**
   * What the shared handling of failures leaves to the caller, who shows it in place: `unreachable` that no answer came,
   * `serverFailure` that and 500 or above (what loads, and offers a retry), `everything` any failure.
   */
  inline?: 'unreachable' | 'serverFailure' | 'everything' | undefined
}

/** An answer with the server's words beside it, where the contract has a `message` (rules/wire#success). */
interface AnswerWithMessage<E extends Endpoint> {
  data: OutputOf<E>
  msg: string
}

const CALL_TIMEOUT_MS = 30_000
/** Thousands of people are registered in one: on a server with much to do, that takes longer than anything else. */
const HEAVY_CALL_TIMEOUT_MS = 300_000

/**
 * Makes a call of the contract and answers its output.
 * @throws {CallError} when it is refused; 401, 403 and 500 or above were told to the person by then
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  return (await callWithMessage(endpoint, input, options)).data
}

/**
 * Like `call`, with the server's `msg` for the calls that answer one.
 * @throws {CallError} like `call`
 */
export function callWithMessage<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<AnswerWithMessage<E>> {
  return withSharedHandling(options, async (uid) => {
    const { envelope } = await loadConfig()
    const timeout = AbortSignal.timeout(
      endpoint.perPerson === 'heavy' ? HEAVY_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS,
    )
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    const response = await post(endpoint, input, uid, signal)
    // An answer that breaks off is none: the person is told that, and stays.
    const body = await response.text()
    try {
      const answer = JSON.parse(body) as { DATA: string; msg?: string }
      const data = z.parse<E['output']>(endpoint.output, fromWire(endpoint, unseal(answer.DATA, envelope)))
      return { data, msg: answer.msg ?? '' }
    } catch {
      // Not an answer of our server, but for example the page of a proxy.
      throw new CallError(500, { code: 'UNEXPECTED', msg: messages().failures.UNEXPECTED })
    }
  })
}

/** How a file is received. */
export interface ReceiveOptions extends CallOptions {
  /** Told as bytes come; the total is Infinity where nobody knows how many there will be. */
  onProgress?: (receivedBytes: number, totalBytes: number) => void
}

/**
 * Makes a call that answers a file, which then lies in the page's memory.
 * @throws {CallError} like `call`
 */
export function callForFile<E extends Endpoint & { answer: 'file' }>(
  endpoint: E,
  input: InputOf<E>,
  options: ReceiveOptions = {},
): Promise<Blob> {
  return withSharedHandling(options, async (uid) => {
    const response = await post(endpoint, input, uid, options.signal)
    return receive(response, options)
  })
}

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

/** Infinite when the answer does not tell. */
function lengthOf(response: Response): number {
  return Number(response.headers.get('Content-Length') ?? Infinity)
}

/**
 * Does what asks the server, and tells of its failures (rules/frame#server-failure).
 * @param work makes the call with the session that is there when it begins
 */
export async function withSharedHandling<T>(
  options: CallOptions,
  work: (uid: string | null) => Promise<T>,
): Promise<T> {
  const [uid, userId] = [sessionUid(), sessionUserId()]
  try {
    return await work(uid)
  } catch (error) {
    if (options.signal?.aborted) throw error
    const failure = error instanceof CallError ? error : unreachable()
    if (failure.status === 0) noteConnection(false)
    if (failure.code === 'CONFIRMATION_REQUIRED') {
      // Nothing was changed: the same call is made again, with all that was typed.
      if (await askToConfirm()) return withSharedHandling(options, work)
      failure.isHandled = true
      throw failure
    }
    if (failure.status === 401 && sessionUid() !== uid) {
      // It is about a session that this browser no longer uses, and must not end the new one. The same
      // person's (after a password change) makes the call again; another person's, or none, leads elsewhere.
      if (sessionUid() !== null && sessionUserId() === userId) return withSharedHandling(options, work)
      failure.isHandled = true
      throw failure
    }
    if (!staysInline(failure, options)) handleShared(failure)
    throw failure
  }
}

function staysInline({ status, isServerFailure }: CallError, { inline }: CallOptions): boolean {
  if (inline === 'unreachable') return status === 0
  return inline === 'everything' || (inline === 'serverFailure' && isServerFailure)
}

async function post<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  uid: string | null,
  signal?: AbortSignal,
) {
  const { envelope } = await loadConfig()
  const response = await fetch(API_BASE + endpoint.path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': currentLanguage(),
      ...(uid !== null && { [SESSION_HEADER]: uid }),
      // Heeded by the calls that start a session.
      ...(navigator.cookieEnabled && { [SESSION_BINDING_HEADER]: 'cookie' }),
    },
    body: JSON.stringify({ DATA: seal(toWire(endpoint, input), envelope) }),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ?? null,
  })
  if (!response.ok) throw await refusal(response, endpoint)
  return response
}

async function refusal(response: Response, endpoint: Endpoint): Promise<CallError> {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  // A body that breaks off, as that of an aborted call, is no answer: it throws.
  const failure = failureIn(await response.text())
  if (failure?.code !== undefined && failure.msg !== undefined) {
    const field = failure.field && { field: wireNames(endpoint).fromWire(failure.field) }
    return new CallError(response.status, { ...(failure as Failure), ...field }, retryAfter)
  }
  const code = [502, 503, 504].includes(response.status) ? 'UNAVAILABLE' : 'UNEXPECTED'
  return new CallError(response.status, { code, msg: messages().failures[code] }, retryAfter)
}

/** Parses the body of a refusal; null if it is not ours, for example the page of a proxy. */
function failureIn(body: string): Partial<Failure> | null {
  try {
    return JSON.parse(body) as Partial<Failure> | null
  } catch {
    return null
  }
}

/** No answer came at all. */
export function unreachable(): CallError {
  return new CallError(0, { code: 'UNREACHABLE', msg: messages().frame.unreachable })
}
