import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { type CallClass, PER_PERSON, type RateLimit } from '../../../contract/endpoint.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { Config } from '../../config.ts'
import { type AddressLimits, refusalUntil } from './rate-limits.ts'

/**
 * Counts of the calls of each user and service by class (rules/wire#calls-per-person), in process memory: a query with
 * every call would cost more than the limit saves. The limits hold per process.
 */
export interface CallLimits {
  /**
   * Counts one call against the limit of its class.
   * @param perPerson class of the call, which has the limit (PER_PERSON)
   * @param caller a user or a service that a lookup has confirmed
   * @param isPrompt refuses without delay, because the call holds a slot of the database
   * @throws {Refusal} TOO_MANY_CALLS with the seconds to wait; after a delay if the caller continues nevertheless
   */
  use(perPerson: CallClass, caller: string, isPrompt?: boolean): Promise<void>
  /**
   * Refuses a call of a caller whose limit is exhausted, before the session is looked up. It counts no call below the limit: an
   * expired token must not use up the calls of its user.
   * @throws {Refusal} TOO_MANY_CALLS as `use`
   */
  refuseExcess(perPerson: CallClass, caller: string): Promise<void>
  /** Returns how many calls a caller has left in the current window of a class; undefined if CALL_LIMIT_PERCENT is 0. */
  stateOf(perPerson: CallClass, caller: string): Promise<CallLimitState | undefined>
}

/** State of the limit of a caller: the calls of a window and those left, the seconds of a window and those until it restarts. */
export type CallLimitState = Record<'points' | 'left' | 'seconds' | 'resetSeconds', number>

/**
 * Returns a limit scaled by CALL_LIMIT_PERCENT, rounded up.
 * @returns undefined for 0 percent, which means no limit
 */
function scaleLimit(limit: RateLimit, percent: number): RateLimit | undefined {
  return percent === 0 ? undefined : { ...limit, points: Math.ceil((limit.points * percent) / 100) }
}

/**
 * Counts actions of a user, on all servers together, and refuses them beyond a limit per user. CALL_LIMIT_PERCENT scales the
 * limit; 0 means no limit.
 * @param name name of the limit, under which it is counted
 * @param usual the limit at 100 percent: `points` actions in `seconds`
 * @param code error code of the refusal
 * @param points number of actions, 1 by default
 * @throws {Refusal} `code` with the seconds to wait, if the limit is exceeded
 */
export async function useOwnLimit(
  { actor, services }: { actor: { id: string }; services: Limiting },
  name: string,
  usual: RateLimit,
  code: ErrorCode,
  points?: number,
): Promise<void> {
  const limit = scaleLimit(usual, services.config.callLimitPercent)
  if (limit !== undefined) await services.limits.use(name, limit, actor.id, code, points)
}

/** Services that count an action of a user. */
interface Limiting {
  config: Pick<Config, 'callLimitPercent'>
  limits: Pick<AddressLimits, 'use'>
}

/**
 * Excess calls of a caller that are refused immediately. Later ones are delayed by REFUSAL_DELAY_MS, so that a client
 * that retries in a loop on many connections cannot occupy the event loop.
 */
const IMMEDIATE_REFUSALS = 20
/** Milliseconds by which refusals after IMMEDIATE_REFUSALS are delayed. */
const REFUSAL_DELAY_MS = 1_000

/**
 * Creates the call limits of this process, which start at 0.
 * @param percent CALL_LIMIT_PERCENT of the usual limits; 0 for no limit
 */
export function createCallLimits(percent: number): CallLimits {
  const limiters = new Map<string, RateLimiterMemory>()

  for (const [perPerson, usual] of Object.entries(PER_PERSON)) {
    const limit = scaleLimit(usual, percent)
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
        if (refused > IMMEDIATE_REFUSALS && !isPrompt)
          await new Promise((resolve) => setTimeout(resolve, REFUSAL_DELAY_MS))
        throw refusalUntil(error.msBeforeNext, 'TOO_MANY_CALLS')
      }
    },
    async stateOf(perPerson, caller) {
      const limiter = limiters.get(perPerson)
      if (limiter === undefined) return undefined
      const { points, duration: seconds } = limiter
      const used = await limiter.get(caller)
      const resetSeconds = used === null ? seconds : Math.ceil(used.msBeforeNext / 1000)
      return { points, seconds, left: Math.max(0, points - (used?.consumedPoints ?? 0)), resetSeconds }
    },
    async refuseExcess(perPerson, caller) {
      const limiter = limiters.get(perPerson)
      const used = (await limiter?.get(caller))?.consumedPoints ?? 0
      if (limiter !== undefined && used >= limiter.points) await this.use(perPerson, caller)
    },
  }
}
