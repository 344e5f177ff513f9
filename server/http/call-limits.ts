import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallClass, PER_PERSON } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'

/**
 * Counts the calls of each person and each service, by class (rules/wire#calls-per-person), in the memory of this process:
 * a round trip with every call would cost more than what it keeps away. Several processes let through so many times
 * as much.
 */
export interface CallLimits {
  /**
   * Counts one call.
   * @param caller a person or a service
   * @throws {Refusal} TOO_MANY_CALLS with the seconds to wait
   */
  use(perPerson: CallClass, caller: string): Promise<void>
}

/** @param percent of the usual numbers; 0: no limit */
export function createCallLimits(percent: number): CallLimits {
  const limiters = new Map<CallClass, RateLimiterMemory>()

  function limiterOf(perPerson: CallClass): RateLimiterMemory {
    const known = limiters.get(perPerson)
    if (known !== undefined) return known
    const { points, seconds } = PER_PERSON[perPerson]
    const limiter = new RateLimiterMemory({ points: Math.ceil((points * percent) / 100), duration: seconds })
    limiters.set(perPerson, limiter)
    return limiter
  }

  return {
    async use(perPerson, caller) {
      if (percent === 0) return
      try {
        await limiterOf(perPerson).consume(caller)
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error
        throw new Refusal('TOO_MANY_CALLS', {
          retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)),
        })
      }
    },
  }
}
