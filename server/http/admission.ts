import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { addressOf } from './address.ts'
import { createFairQueue } from './fair-queue.ts'
import { BrokenConnection } from './failure.ts'
import { tokenOf } from './sessions.ts'

/** In front of the calls: lets in as many as the database can work on, the others in turns (ADR 052). */
export interface Admission {
  /**
   * Does the work of a call when its turn has come.
   * @throws {Refusal} UNAVAILABLE when it waited too long: nothing of it was done
   * @throws {BrokenConnection} when nobody waits for it any more
   */
  inTurn<T>(request: FastifyRequest, endpoint: Endpoint, work: () => Promise<T>): Promise<T>
  /** Remembers whose session this is: until then its calls wait in the line of their address. */
  know(token: string, personId: string): void
  /** How many calls wait. */
  waiting(): number
}

/** For a thousand people who log in at nine, with two cores. */
const MAX_WAIT_MS = 15_000
/** A call that waits is a few kilobytes. */
const MAX_WAITING = 2_000
const MAX_KNOWN = 10_000

/**
 * @param connections to the database
 * @param maxWaitMs shorter in tests
 */
export function createAdmission(connections: number, maxWaitMs = MAX_WAIT_MS): Admission {
  const limits = { maxWaiting: MAX_WAITING, maxWaitMs }
  // Who is signed in does not wait for those who log in, whose passwords take long to compare. Together they are not
  // more than there are connections: a call that has its turn waits for nothing but its own work.
  const forGuests = Math.ceil(connections / 4)
  const guests = createFairQueue({ places: forGuests, ...limits })
  const people = createFairQueue({ places: Math.max(1, connections - forGuests), ...limits })
  const persons = new Map<string, string>()

  // A made-up session is in the line of its address, however many somebody makes up.
  const lineOf = (request: FastifyRequest) => persons.get(tokenOf(request) ?? '') ?? addressOf(request)

  return {
    async inTurn(request, { access }, work) {
      const queue = access === 'public' ? guests : people
      return queue.run(lineOf(request), async () => {
        if (request.raw.socket.destroyed) throw new BrokenConnection('The connection broke')
        return work()
      })
    },
    know(token, personId) {
      persons.delete(token)
      persons.set(token, `person ${personId}`)
      const [oldest] = persons.keys()
      if (persons.size > MAX_KNOWN && oldest !== undefined) persons.delete(oldest)
    },
    waiting: () => people.waiting() + guests.waiting(),
  }
}
