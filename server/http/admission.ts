import type { FastifyRequest } from 'fastify'
import { login } from '../../contract/account.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type ErrorCode, Refusal, refuse } from '../../contract/errors.ts'
import { LOCKED } from '../../contract/refusal-lists.ts'
import { addressOf, networkOf } from './address.ts'
import { createFairQueue } from './fair-queue.ts'
import { BrokenConnection } from './failure.ts'
import { bindingOf } from './session-cookie.ts'
import { tokenOf } from './sessions.ts'
import { createStandings } from './standing.ts'
import { hashToken, programTokenOf } from './tokens.ts'

/** In front of the calls: lets in as many as the database can work on, the others in turns (ADR 052). */
export interface Admission {
  /**
   * Does the work of a call when its turn has come.
   * @throws {Refusal} TOO_MANY_TRIES when it comes from where passwords are guessed, and enough of that waits already
   * @throws {Refusal} UNAVAILABLE when it waited too long or the server stops: nothing of it was done
   * @throws {BrokenConnection} when nobody waits for it any more
   */
  inTurn<T>(request: FastifyRequest, endpoint: Endpoint, work: () => Promise<T>): Promise<T>
  /**
   * Stores which user the session or program token of a request belongs to, and that users work from its network. Until then the calls
   * wait in the line of their address, and public calls wait with logins.
   * @param isBound whether the lookup compared the session cookie, too
   */
  know(request: FastifyRequest, personId: string, isBound: boolean): void
  /** Forgets the user of a request whose session or program's token has ended: its calls count for nobody. */
  forget(request: FastifyRequest): void
  /** Returns the likely user of a request's session or program's token, from what this server has seen. Only a lookup confirms it. */
  personOf(request: FastifyRequest): string | undefined
  /** Who stands for a request among others: its person, or the network of its address. */
  lineOf(request: FastifyRequest): string
  /** How many calls wait. */
  waiting(): number
}

/** For a thousand people who log in at nine, with two cores. */
const MAX_WAIT_MS = 15_000
/** What waits is in memory with its body: 2,000 small calls, fewer large ones, and in no queue more than 64 MiB of bodies. */
const MAX_WAITING = 2_000
const BYTES_OF_A_SMALL_CALL = 32 * 1024
const MAX_KNOWN = 10_000
/**
 * What waits of a network from which passwords are guessed, and of one of which nothing is known while so much of others
 * waits (of a guesser less, then); the rest is refused before anything is asked of the database.
 */
const GUESSES_WAITING = 5
const GUESSES_WAITING_WITH_MANY = 2
const MANY_WAITING = 100
const GUESS_RETRY_SECONDS = 5
/** Guesses take a quarter of a core at most: what is worked for them is done one at a time, with rests three times as long. */
const REST_OF_GUESSES = 3
/** What a wrong password of a login is answered. */
const GUESSED: ReadonlySet<ErrorCode> = new Set(['LOGIN_FAILED', ...LOCKED, 'TOO_MANY_TRIES'])
/** What a person may always have under way, where there are so many places. */
const AT_ONCE_OF_ONE = 4

/**
 * @param connections to the database
 * @param maxWaitMs shorter in tests
 * @param isDraining whether the server is stopping: a call that has not begun does not begin
 */
export function createAdmission(
  connections: number,
  maxWaitMs = MAX_WAIT_MS,
  isDraining = () => false,
): Admission {
  const limits = { maxWaiting: MAX_WAITING, maxWaitMs }
  // Who is signed in does not wait for those who log in, whose passwords take long to compare, nor for calls that wait
  // for each other. Together they are not more than there are connections: a call that has its turn does not wait for
  // one of them.
  const forGuests = Math.ceil(connections / 4)
  const forFew = Math.ceil(connections / 5)
  const guests = createFairQueue({ slots: forGuests, pauseFactor: REST_OF_GUESSES, ...limits })
  const few = createFairQueue({ slots: forFew, ...limits })
  const forPeople = Math.max(1, connections - forGuests - forFew)
  // One person's calls are not all that the database works on, nor all that a call of somebody else finds before it; a page
  // asks for a few at once, and one that waits for a mail server must not hold up the others.
  const slotsPerCaller = Math.max(AT_ONCE_OF_ONE, Math.ceil(forPeople / 4))
  const people = createFairQueue({ slots: forPeople, slotsPerCaller, ...limits })
  const persons = new Map<string, string>()
  const standings = createStandings()

  const personOf = (request: FastifyRequest) => {
    const { token, withCookie } = credentialsOf(request)
    return persons.get(token) ?? persons.get(withCookie)
  }
  // A made-up session is in the line of its address, however many somebody makes up.
  const lineOf = (request: FastifyRequest) => {
    const person = personOf(request)
    return person === undefined ? networkOf(addressOf(request)) : `person ${person}`
  }
  const queueOf = ({ access, fewAtOnce }: Endpoint, isKnown: boolean) => {
    if (fewAtOnce === true) return few
    return access === 'public' && !isKnown ? guests : people
  }

  return {
    async inTurn(request, endpoint, work) {
      const begin = async () => {
        if (request.raw.socket.destroyed) throw new BrokenConnection('The connection broke')
        if (isDraining()) refuse('UNAVAILABLE', { retryAfterSeconds: 5 })
        return work()
      }
      const isKnown = personOf(request) !== undefined
      const queue = queueOf(endpoint, isKnown)
      const [line, weight] = [lineOf(request), weightOf(request)]
      if (queue !== guests || endpoint !== login) return queue.run(line, begin, { weight })

      // Of those who log in, who works here before who only guesses, however many addresses that one has.
      const logins = `login ${line}`
      const isCrowd = () => guests.waiting() - guests.waiting(logins) >= MANY_WAITING
      // Asked when its turn may come: until then it may have turned out what else comes from there. In a crowd who is new
      // asks once and waits for the answer; who asks again is one of those whose passwords were not looked at yet.
      const rank = (ofTheirs: number) => {
        const standing = standings.of(line)
        return standing === 1 && ofTheirs > 0 && isCrowd() ? 2 : standing
      }
      const standing = rank(guests.waiting(logins))
      const most = standing === 2 && isCrowd() ? GUESSES_WAITING_WITH_MANY : GUESSES_WAITING
      const isLimited = standing === 2 || (standing === 1 && isCrowd())
      if (isLimited && guests.waiting(logins) >= most)
        refuse('TOO_MANY_TRIES', { retryAfterSeconds: GUESS_RETRY_SECONDS })
      const guess = async () => {
        try {
          return await begin()
        } catch (error) {
          if (error instanceof Refusal && GUESSED.has(error.code)) standings.wentWrong(line)
          throw error
        }
      }
      return guests.run(logins, guess, { weight, priority: rank })
    },
    know(request, personId, isBound) {
      const { token, withCookie } = credentialsOf(request)
      const credential = isBound ? withCookie : token
      if (!persons.has(credential)) standings.wentRight(networkOf(addressOf(request)))
      persons.delete(credential)
      persons.set(credential, personId)
      const [oldest] = persons.keys()
      if (persons.size > MAX_KNOWN && oldest !== undefined) persons.delete(oldest)
    },
    forget(request) {
      const { token, withCookie } = credentialsOf(request)
      persons.delete(token)
      persons.delete(withCookie)
    },
    personOf,
    lineOf,
    waiting: () => people.waiting() + few.waiting() + guests.waiting(),
  }
}

/**
 * Returns what identifies the caller of a request. A program token has priority over a session. Only a bound session is identified
 * `withCookie`: the client chooses the cookie of any other session or token, and each new value would be a new caller.
 */
function credentialsOf(request: FastifyRequest): { token: string; withCookie: string } {
  const token = programTokenOf(request) ?? tokenOf(request) ?? ''
  if (token === '' || request.headers.cookie === undefined) return { token, withCookie: token }
  const binding = bindingOf(request, hashToken(token))
  return { token, withCookie: binding === null ? token : `${token} ${binding.toString('base64url')}` }
}

/** A form or a file on its way in has not been read while it waits. */
function weightOf({ body }: FastifyRequest): number {
  return 1 + Math.floor((Buffer.isBuffer(body) ? body.length : 0) / BYTES_OF_A_SMALL_CALL)
}
