import type { FastifyRequest } from 'fastify'
import { login } from '../../../contract/account.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { type ErrorCode, Refusal, refuse } from '../../../contract/errors.ts'
import { LOCKED } from '../../../contract/refusal-lists.ts'
import { addressOf, networkOf } from '../../callers/client-address.ts'
import { createFairQueue } from './fair-queue.ts'
import { BrokenConnection } from '../error-response.ts'
import { bindingOf } from '../../callers/session-cookie.ts'
import { sessionTokenOf } from '../../callers/sessions.ts'
import { createLoginReputation, setNewest } from './login-reputation.ts'
import { hashToken, programTokenOf } from '../../callers/bearer-tokens.ts'

/**
 * Queue of the calls in front of the database: as many run as it can work on, the others take turns by caller
 * (design/requests-and-load#request-queue).
 */
export interface Admission {
  /**
   * Runs the work of a call when the queue gives it a slot, and returns its result.
   * @throws {Refusal} TOO_MANY_TRIES for a login from a network that guesses passwords, if enough of its logins are queued
   * @throws {Refusal} UNAVAILABLE if the call was queued for too long, if too much is queued, or if the server stops and the call
   * has had no slot. Then the work has not started
   * @throws {BrokenConnection} if the client has closed the connection
   */
  inTurn<T>(request: FastifyRequest, endpoint: Endpoint, work: () => Promise<T>): Promise<T>
  /**
   * Stores which user the session or program token of a request belongs to, after a lookup. Its next calls wait in the user's
   * queue instead of that of their address, and public calls no longer wait with logins. A new session or token also counts as a
   * success of its network.
   * @param isBound whether the lookup compared the session cookie, too
   */
  rememberCaller(request: FastifyRequest, userId: string, isBound: boolean): void
  /**
   * Deletes the stored user of a request whose session or program token has ended, so that its calls count for its
   * address.
   */
  forgetCaller(request: FastifyRequest): void
  /**
   * Returns the likely user (users.id) of a request's session or program token, from what this server has seen. Only a lookup
   * confirms it.
   * @returns undefined if this server has not seen the session or token
   */
  knownUserId(request: FastifyRequest): string | undefined
  /** Returns the key of the queue that a request waits in: its user, or the network of its address. */
  queueKey(request: FastifyRequest): string
  /** Returns the number of calls that are queued on this server. */
  waiting(): number
}

/** Milliseconds that a call may be queued: enough for 1,000 users who log in at nine, with two cores. */
const MAX_WAIT_MS = 15_000
/**
 * Most queued calls of a queue, as small calls of SMALL_CALL_BYTES. They are in memory with their bodies: 2,000 small
 * calls, or fewer large ones, are at most 64 MiB.
 */
const MAX_WAITING = 2_000
/** Bytes of a request body up to which a queued call has the weight 1 in its queue. */
const SMALL_CALL_BYTES = 32 * 1024
/** Most sessions and tokens whose user is stored; the oldest are forgotten first. */
const MAX_KNOWN_CALLERS = 10_000
/**
 * Most queued logins of a network that guesses passwords. The limit is lower in a crowd, and then holds for an unknown
 * network, too (with the higher number). The others are refused with TOO_MANY_TRIES, without a query.
 */
const MAX_QUEUED_GUESSES = 5
/** Most queued logins in a crowd of a network that guesses passwords. */
const MAX_QUEUED_GUESSES_IN_CROWD = 2
/** Number of queued logins of other networks that make a crowd. */
const CROWD = 100
/** Retry-After of a login that is refused because enough of its network's logins are queued. */
const GUESS_RETRY_SECONDS = 5
/**
 * How many times its running time the slot of guesses stays empty after a guess. So guesses, of which one runs at a
 * time, use a quarter of a core at most.
 */
const GUESS_PAUSE_FACTOR = 3
/** Error codes of a login that count as a wrong password for the network's reputation. */
const WRONG_PASSWORD: ReadonlySet<ErrorCode> = new Set(['LOGIN_FAILED', ...LOCKED, 'TOO_MANY_TRIES'])
/** Fewest slots that one user may take concurrently, if the server has free ones. */
const MIN_SLOTS_PER_USER = 4

/**
 * Creates the queues in front of the calls: one of logins and other public calls, one of calls with `fewAtOnce`, and one of all
 * others.
 * @param connections number of database connections, which is also the number of slots
 * @param maxWaitMs maximum time in a queue; shorter in tests
 * @param isDraining whether the server is stopping: a queued call then does not start, but a running one may take further slots
 */
export function createAdmission(
  connections: number,
  maxWaitMs = MAX_WAIT_MS,
  isDraining = () => false,
): Admission {
  const limits = { maxWaiting: MAX_WAITING, maxWaitMs }
  // Three queues: users must not wait for logins, whose passwords take long to compare, nor for calls that wait for each other.
  // All slots together are as many as the connections, so that a running call never waits for a connection.
  const guestSlots = Math.ceil(connections / 4)
  const fewSlots = Math.ceil(connections / 5)
  const guests = createFairQueue({ slots: guestSlots, pauseFactor: GUESS_PAUSE_FACTOR, ...limits })
  const few = createFairQueue({ slots: fewSlots, ...limits })
  const userSlots = Math.max(1, connections - guestSlots - fewSlots)
  // One user must not take all slots. A page makes a few calls concurrently, and one that waits for a mail server must not
  // delay the others.
  const slotsPerCaller = Math.max(MIN_SLOTS_PER_USER, Math.ceil(userSlots / 4))
  const users = createFairQueue({ slots: userSlots, slotsPerCaller, ...limits })
  const userByCredential = new Map<string, string>()
  // Running calls that take several slots, such as an upload. The server finishes them while it stops.
  const running = new WeakSet<FastifyRequest>()
  const reputation = createLoginReputation()

  const knownUserId = (request: FastifyRequest) => {
    const { token, withCookie } = credentialsOf(request)
    return userByCredential.get(token) ?? userByCredential.get(withCookie)
  }
  // Made-up sessions share the queue of their address, however many a client sends.
  const queueKey = (request: FastifyRequest) => {
    const userId = knownUserId(request)
    return userId === undefined ? networkOf(addressOf(request)) : `person ${userId}`
  }
  const queueOf = ({ access, fewAtOnce }: Endpoint, isKnown: boolean) => {
    if (fewAtOnce === true) return few
    return access === 'public' && !isKnown ? guests : users
  }

  return {
    async inTurn(request, endpoint, work) {
      const begin = async () => {
        if (request.raw.socket.destroyed) throw new BrokenConnection('The connection broke')
        if (isDraining() && !running.has(request)) refuse('UNAVAILABLE', { retryAfterSeconds: 5 })
        running.add(request)
        return work()
      }
      const isKnown = knownUserId(request) !== undefined
      const queue = queueOf(endpoint, isKnown)
      const [key, weight] = [queueKey(request), weightOf(request)]
      if (queue !== guests || endpoint !== login) return queue.run(key, begin, { weight })

      const loginKey = `login ${key}`
      const isCrowd = () => guests.waiting() - guests.waiting(loginKey) >= CROWD
      // Read again when the login may start: other calls of the network may have changed its reputation. In a crowd an unknown
      // network gets one login at a time: a second one may come from a client whose guesses have no result yet.
      const priority = (otherLogins: number) => {
        const rank = reputation.priorityOf(key)
        return rank === 1 && otherLogins > 0 && isCrowd() ? 2 : rank
      }
      const rank = priority(guests.waiting(loginKey))
      const most = rank === 2 && isCrowd() ? MAX_QUEUED_GUESSES_IN_CROWD : MAX_QUEUED_GUESSES
      const isLimited = rank === 2 || (rank === 1 && isCrowd())
      if (isLimited && guests.waiting(loginKey) >= most)
        refuse('TOO_MANY_TRIES', { retryAfterSeconds: GUESS_RETRY_SECONDS })
      const tryLogin = async () => {
        try {
          return await begin()
        } catch (error) {
          if (error instanceof Refusal && WRONG_PASSWORD.has(error.code)) reputation.recordFailure(key)
          throw error
        }
      }
      return guests.run(loginKey, tryLogin, { weight, priority })
    },
    rememberCaller(request, userId, isBound) {
      const { token, withCookie } = credentialsOf(request)
      const credential = isBound ? withCookie : token
      if (!userByCredential.has(credential)) reputation.recordSuccess(networkOf(addressOf(request)))
      setNewest(userByCredential, credential, userId, MAX_KNOWN_CALLERS)
    },
    forgetCaller(request) {
      const { token, withCookie } = credentialsOf(request)
      userByCredential.delete(token)
      userByCredential.delete(withCookie)
    },
    knownUserId,
    queueKey,
    waiting: () => users.waiting() + few.waiting() + guests.waiting(),
  }
}

/**
 * Returns the keys by which the caller of a request is stored: `token` for its program token or session, and `withCookie` for a
 * session with its cookie. A program token has priority over a session. Only a bound session has its own `withCookie`: the client
 * chooses the cookie of any other session or token, and each new value would be a new caller.
 */
function credentialsOf(request: FastifyRequest): { token: string; withCookie: string } {
  const token = programTokenOf(request) ?? sessionTokenOf(request) ?? ''
  if (token === '' || request.headers.cookie === undefined) return { token, withCookie: token }
  const binding = bindingOf(request, hashToken(token))
  return { token, withCookie: binding === null ? token : `${token} ${binding.toString('base64url')}` }
}

/**
 * Returns the weight of a queued call by the size of its body: 1, and 1 more per SMALL_CALL_BYTES. The body of a form or a file
 * is not read yet while the call is queued.
 */
function weightOf({ body }: FastifyRequest): number {
  return 1 + Math.floor((Buffer.isBuffer(body) ? body.length : 0) / SMALL_CALL_BYTES)
}
