import * as z from 'zod/mini'
import type { Endpoint, InputOf, OutputOf } from '../../contract/endpoint.ts'
import {
  API_BASE,
  SESSION_BINDING_HEADER,
  SESSION_HEADER,
  SESSION_USE_HEADER,
} from '../../contract/envelope.ts'
import type { Failure } from '../../contract/errors.ts'
import { fromWire, toWire, wireNames } from '../../contract/wire.ts'
import { currentLanguage, messages } from '../language.tsx'
import { sessionUid, sessionUserId } from '../session.ts'
import { CallError } from './call-error.ts'
import { askToConfirm } from './reauthentication.ts'
import { loadConfig } from './config.ts'
import { noteConnection } from './connection.ts'
import { seal, unseal } from './envelope.ts'
import { handleCallError } from './error-handling.ts'

/** Options of a call. */
export interface CallOptions {
  signal?: AbortSignal | undefined
  /**
   * Failures that the caller shows itself, instead of the global error handling. `unreachable`: no response arrived.
   * `serverFailure`: no response, or 500 and above (for reads with a retry). `everything`: any failure.
   */
  inline?: 'unreachable' | 'serverFailure' | 'everything' | undefined
}

/** True while `inBackground` runs. Calls that start then send the header SESSION_USE_HEADER. */
let isBackground = false

/**
 * Runs work that starts calls without an action of the user, which do not extend the session
 * (rules/account#session-watch).
 * @param work starts the calls synchronously; a call after its first `await` extends the session
 */
export function inBackground(work: () => void): void {
  isBackground = true
  try {
    work()
  } finally {
    isBackground = false
  }
}

/** Output of a call and the server's `msg`, '' if the contract has no `message` (rules/wire#success). */
interface OutputWithMessage<E extends Endpoint> {
  data: OutputOf<E>
  msg: string
}

/** Milliseconds without a response after which a call counts as unreachable. */
const CALL_TIMEOUT_MS = 30_000
/** Timeout of heavy calls: an import of thousands of users on a busy server takes minutes. */
const HEAVY_CALL_TIMEOUT_MS = 300_000

/**
 * Makes a call of the contract and returns its output. Asks the user to reauthenticate and repeats the call if the
 * server requires it. No response within 30 seconds (heavy calls: 5 minutes) counts as unreachable.
 * @throws {CallError} if the call fails; with `isHandled` if the caller must not show it. If `signal` aborts, another
 * error
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputOf<E>> {
  return (await callWithMessage(endpoint, input, options)).data
}

/**
 * Makes a call like `call`, and returns the server's `msg` as well.
 * @throws {CallError} like `call`
 */
export function callWithMessage<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: CallOptions = {},
): Promise<OutputWithMessage<E>> {
  const headers = isBackground ? { [SESSION_USE_HEADER]: 'background' } : {}
  return withErrorHandling(options, async (uid) => {
    const { envelope } = await loadConfig()
    const timeout = AbortSignal.timeout(
      endpoint.perPerson === 'heavy' ? HEAVY_CALL_TIMEOUT_MS : CALL_TIMEOUT_MS,
    )
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    const response = await post(endpoint, input, uid, { signal, headers })
    // Outside `try`: a truncated response throws, and counts as no response.
    const body = await response.text()
    try {
      const answer = JSON.parse(body) as { DATA: string; msg?: string }
      const data = z.parse<E['output']>(endpoint.output, fromWire(endpoint, unseal(answer.DATA, envelope)))
      return { data, msg: answer.msg ?? '' }
    } catch {
      // The response is not of our server, but for example the page of a proxy.
      throw new CallError(500, { code: 'UNEXPECTED', msg: messages().failures.UNEXPECTED })
    }
  })
}

/**
 * Runs a call with the global error handling (rules/frame#server-failure), except for failures that `inline` leaves to
 * the caller. Without a response it marks the server as away (`noteConnection`). Runs the call again after a
 * reauthentication that the server requires (CONFIRMATION_REQUIRED), and after a 401 if the same user has got a new
 * session meanwhile.
 * @param work makes the call with the given session token; may run several times
 * @throws {CallError} for any failure, or the error of `work` if `signal` has aborted
 */
export async function withErrorHandling<T>(
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
      // The server has changed nothing, so the same call can be repeated.
      if (await askToConfirm()) return withErrorHandling(options, work)
      failure.isHandled = true
      throw failure
    }
    if (failure.status === 401 && sessionUid() !== uid) {
      // The 401 is about a previous session and must not end the new one. Repeat the call for the same user (after a
      // password change). A login of another user, or a logout, redirects by itself.
      if (sessionUid() !== null && sessionUserId() === userId) return withErrorHandling(options, work)
      failure.isHandled = true
      throw failure
    }
    if (!isShownByCaller(failure, options)) handleCallError(failure)
    throw failure
  }
}

/** Returns whether the caller shows a failure itself, according to `inline`. */
function isShownByCaller({ status, isServerFailure }: CallError, { inline }: CallOptions): boolean {
  if (inline === 'unreachable') return status === 0
  return inline === 'everything' || (inline === 'serverFailure' && isServerFailure)
}

/**
 * Sends the encrypted input of a call, with session and language. Loads the configuration first, for the key.
 * @throws {CallError} with the server's code if the status is no success; another error without a response
 */
export async function post<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  uid: string | null,
  { signal, headers }: { signal?: AbortSignal | undefined; headers?: Record<string, string> },
) {
  const { envelope } = await loadConfig()
  const response = await fetch(API_BASE + endpoint.path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Accept-Language': currentLanguage(),
      ...headers,
      ...(uid !== null && { [SESSION_HEADER]: uid }),
      // Only calls that start a session read this.
      ...(navigator.cookieEnabled && { [SESSION_BINDING_HEADER]: 'cookie' }),
    },
    body: JSON.stringify({ DATA: seal(toWire(endpoint, input), envelope) }),
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ?? null,
  })
  if (!response.ok) throw await toCallError(response, endpoint)
  return response
}

/**
 * Returns the error of a refused call. A body that is not the server's, such as the page of a proxy, becomes
 * UNAVAILABLE for 502, 503 and 504, else UNEXPECTED.
 */
async function toCallError(response: Response, endpoint: Endpoint): Promise<CallError> {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const retryAfter = Number.isFinite(seconds) ? seconds : undefined
  // A truncated body throws here, and counts as no response.
  const failure = failureIn(await response.text())
  if (failure?.code !== undefined && failure.msg !== undefined) {
    const field = failure.field && { field: wireNames(endpoint).fromWire(failure.field) }
    return new CallError(response.status, { ...(failure as Failure), ...field }, retryAfter)
  }
  const code = [502, 503, 504].includes(response.status) ? 'UNAVAILABLE' : 'UNEXPECTED'
  return new CallError(response.status, { code, msg: messages().failures[code] }, retryAfter)
}

/**
 * Parses the body of a refused call.
 * @returns null if it is not JSON, for example the page of a proxy
 */
function failureIn(body: string): Partial<Failure> | null {
  try {
    return JSON.parse(body) as Partial<Failure> | null
  } catch {
    return null
  }
}

/** Returns the error of a call without a response, with status 0. */
export function unreachable(): CallError {
  return new CallError(0, { code: 'UNREACHABLE', msg: messages().frame.unreachable })
}
