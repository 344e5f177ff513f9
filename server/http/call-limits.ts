import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type AddressLimit, type CallClass, PER_PERSON } from '../../contract/endpoint.ts'
import { refusalUntil } from './limits.ts'

/**
 * Counts the calls of each person and each service, by class (rules/wire#calls-per-person), in the memory of this process:
 * a round trip with every call would cost more than what it keeps away. Several processes let through so many times
 * as much.
 */
export interface CallLimits {
  /**
   * Counts one call.
   * @param caller a user or a service that a lookup has confirmed
   * @param isPrompt refuses without delay, because the call holds a slot of the database
   * @throws {Refusal} TOO_MANY_CALLS with the seconds to wait
   */
  use(perPerson: CallClass, caller: string, isPrompt?: boolean): Promise<void>
  /**
   * Refuses a call of a caller whose limit is used up, before anything is looked up. It counts nothing below the limit: the
   * token may be one that is valid no more, which must not use up its user's calls.
   * @throws {Refusal} TOO_MANY_CALLS with the seconds to wait, after a delay for whoever goes on
   */
  refuseExcess(perPerson: CallClass, caller: string): Promise<void>
}

/** So many per cent of a limit per person (CALL_LIMIT_PERCENT); undefined: no limit. */
export function percentOf(limit: AddressLimit, percent: number): AddressLimit | undefined {
  return percent === 0 ? undefined : { ...limit, points: Math.ceil((limit.points * percent) / 100) }
}

/**
 * So many calls too many are refused at once. Who goes on hears of it later: on two hundred connections that ask again as
 * soon as they are answered, refusals alone would be all that the server does.
 */
const REFUSED_AT_ONCE = 20
const REFUSED_AFTER_MS = 1_000

/** @param percent of the usual numbers; 0: no limit */
export function createCallLimits(percent: number): CallLimits {
  const limiters = new Map<string, RateLimiterMemory>()

  for (const [perPerson, usual] of Object.entries(PER_PERSON)) {
    const limit = percentOf(usual, percent)
    if (limit === undefined) break
    limiters.set(perPerson, new RateLimiterMemory({ points: limit.points, duration: limit.seconds }))
  }

  return {
    async use(perPerson, caller, isPrompt = false) {
      try {
        await limiters.get(perPerson)?.consume(caller)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        const refused = error.consumedPoints - (limiters.get(perPerson)?.points ?? 0)
        if (refused > REFUSED_AT_ONCE && !isPrompt)
          await new Promise((over) => setTimeout(over, REFUSED_AFTER_MS))
        throw refusalUntil(error.msBeforeNext, 'TOO_MANY_CALLS')
      }
    },
    async refuseExcess(perPerson, caller) {
      const limiter = limiters.get(perPerson)
      const used = (await limiter?.get(caller))?.consumedPoints ?? 0
      if (limiter !== undefined && used >= limiter.points) await this.use(perPerson, caller)
    },
  }
}
