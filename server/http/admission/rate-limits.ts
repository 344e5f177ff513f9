import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimit } from '../../../contract/endpoint.ts'
import { type ErrorCode, Refusal } from '../../../contract/errors.ts'
import { networkOf, siteOf } from '../../callers/client-address.ts'

/**
 * Counts of attempts per network, email address or user, exact and across all servers of one database. A window begins with its
 * first attempt. An IPv6 site (/48) has NETWORKS_OF_A_SITE times the limit of a network.
 */
export interface AddressLimits {
  /**
   * Counts one or more attempts.
   * @param name what is counted: the path of a call, or the wrong passwords of a login
   * @param limit the allowed `points` in a window of `seconds`
   * @param address network address, email address or user
   * @param code error code of the refusal, TOO_MANY_TRIES by default
   * @param points number of attempts, 1 by default
   * @throws {Refusal} `code` with the seconds to wait, if the limit is exceeded
   */
  use(name: string, limit: RateLimit, address: string, code?: ErrorCode, points?: number): Promise<void>
  /**
   * Counts attempts as `use`.
   * @returns the number of attempts of this network in the current window, including these
   * @throws {Refusal} as `use`
   */
  take(...args: Parameters<AddressLimits['use']>): Promise<number>
  /** Uncounts one attempt that `take` counted. */
  giveBack(name: string, limit: RateLimit, address: string): Promise<void>
  /**
   * Returns the refusal TOO_MANY_TRIES with the seconds to wait if a limit is exhausted, null if attempts are left. Counts
   * nothing.
   */
  refusal(name: string, limit: RateLimit, address: string): Promise<Refusal | null>
}

/** Returns the refusal for an exhausted limit, with the seconds to wait, which become Retry-After; at least 1. */
export function refusalUntil(msBeforeNext: number, code: ErrorCode = 'TOO_MANY_TRIES'): Refusal {
  return new Refusal(code, { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
}

/** Limit of an IPv6 site (/48), as a multiple of the limit of one of its networks. */
const NETWORKS_OF_A_SITE = 8

/** Returns a hash: an email address is personal data and may be longer than the column. */
const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * Returns the keys under which an address is counted, with their limits: its network, because a client may use any IPv6 address
 * of it, and its site, because a client may use any network of that. A text that is no IPv6 address has one key.
 */
function countersOf(address: string, limit: RateLimit): { key: string; limit: RateLimit }[] {
  const site = siteOf(address)
  const network = { key: keyOf(networkOf(address)), limit }
  if (site === undefined) return [network]
  return [network, { key: keyOf(site), limit: { ...limit, points: limit.points * NETWORKS_OF_A_SITE } }]
}

/** Deletes the counts of windows that have ended. */
export async function removeOldCounts(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limits where expire < extract(epoch from now()) * 1000')
}

/** Creates limits that are stored in PostgreSQL by rate-limiter-flexible (table rate_limits). */
export function createAddressLimits(pool: pg.Pool): AddressLimits {
  const limiters = new Map<string, RateLimiterPostgres>()

  /** Returns the counter of a name and a number of points, which is created once. */
  function limiterOf(name: string, limit: RateLimit): RateLimiterPostgres {
    const id = `${name} ${limit.points}`
    let limiter = limiters.get(id)
    if (limiter === undefined) {
      limiter = new RateLimiterPostgres({
        storeClient: pool,
        tableName: 'rate_limits',
        tableCreated: true,
        // A background job deletes expired rows.
        clearExpiredByTimeout: false,
        keyPrefix: name,
        points: limit.points,
        duration: limit.seconds,
      })
      limiters.set(id, limiter)
    }
    return limiter
  }

  return {
    async use(...args) {
      await this.take(...args)
    },
    async take(name, ofNetwork, address, code, points = 1) {
      const used: number[] = []
      try {
        for (const { key, limit } of countersOf(address, ofNetwork))
          used.push((await limiterOf(name, limit).consume(key, points)).consumedPoints)
        return used[0] ?? 0
      } catch (error) {
        if (error instanceof RateLimiterRes) throw refusalUntil(error.msBeforeNext, code)
        throw error
      }
    },
    async giveBack(name, ofNetwork, address) {
      for (const { key, limit } of countersOf(address, ofNetwork)) await limiterOf(name, limit).reward(key)
    },
    async refusal(name, ofNetwork, address) {
      for (const { key, limit } of countersOf(address, ofNetwork)) {
        const used = await limiterOf(name, limit).get(key)
        if (used !== null && used.consumedPoints >= limit.points) return refusalUntil(used.msBeforeNext)
      }
      return null
    },
  }
}
