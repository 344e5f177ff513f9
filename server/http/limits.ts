import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { AddressLimit } from '../../contract/endpoint.ts'
import { type ErrorCode, Refusal } from '../../contract/errors.ts'
import { networkOf, siteOf } from './address.ts'

/** Counts tries per network address, e-mail or person, exactly and across all servers of one database. */
export interface AddressLimits {
  /**
   * Uses up one try, or several.
   * @param name what is counted: a call, or the wrong passwords of a login
   * @param points how many at once
   * @throws {Refusal} TOO_MANY_TRIES, or the code that is named, with the seconds to wait
   */
  use(name: string, limit: AddressLimit, address: string, code?: ErrorCode, points?: number): Promise<void>
  /** Like `use`. @returns how many are used by now */
  take(...of: Parameters<AddressLimits['use']>): Promise<number>
  /** Gives a try back that `take` took. */
  giveBack(name: string, limit: AddressLimit, address: string): Promise<void>
  /** What `use` would refuse with when the tries are used up; null when they are not. Uses none. */
  refusal(name: string, limit: AddressLimit, address: string): Promise<Refusal | null>
}

/** What is answered to whoever has used up a limit: with the seconds to wait, one at least. */
export function refusalUntil(msBeforeNext: number, code: ErrorCode = 'TOO_MANY_TRIES'): Refusal {
  return new Refusal(code, { retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) })
}

/** How many networks of a site (the /48 of IPv6) may use up what one of them may. */
const NETWORKS_OF_A_SITE = 8

const keyOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/**
 * By what an address or e-mail is counted: of an address its network, since one connection has as many IPv6 addresses as it
 * likes, and its site, which has as many networks. As hashes, because an e-mail may be longer than the column and does
 * not belong in it.
 */
function countedBy(address: string, limit: AddressLimit): { key: string; limit: AddressLimit }[] {
  const site = siteOf(address)
  const own = { key: keyOf(networkOf(address)), limit }
  if (site === undefined) return [own]
  return [own, { key: keyOf(site), limit: { ...limit, points: limit.points * NETWORKS_OF_A_SITE } }]
}

/** Removes the counts whose time is over. */
export async function removeOldCounts(pool: pg.Pool): Promise<void> {
  await pool.query('delete from rate_limits where expire < extract(epoch from now()) * 1000')
}

/** Limits kept in PostgreSQL through rate-limiter-flexible (table rate_limits). */
export function createAddressLimits(pool: pg.Pool): AddressLimits {
  const limiters = new Map<string, RateLimiterPostgres>()

  function limiterOf(name: string, limit: AddressLimit): RateLimiterPostgres {
    const id = `${name} ${limit.points}`
    let limiter = limiters.get(id)
    if (limiter === undefined) {
      limiter = new RateLimiterPostgres({
        storeClient: pool,
        tableName: 'rate_limits',
        tableCreated: true,
        // The sweep of the server removes old rows.
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
    async use(...of) {
      await this.take(...of)
    },
    async take(name, ofNetwork, address, code, points = 1) {
      const used: number[] = []
      try {
        for (const { key, limit } of countedBy(address, ofNetwork))
          used.push((await limiterOf(name, limit).consume(key, points)).consumedPoints)
        return used[0] ?? 0
      } catch (error) {
        if (error instanceof RateLimiterRes) throw refusalUntil(error.msBeforeNext, code)
        throw error
      }
    },
    async giveBack(name, ofNetwork, address) {
      for (const { key, limit } of countedBy(address, ofNetwork)) await limiterOf(name, limit).reward(key)
    },
    async refusal(name, ofNetwork, address) {
      for (const { key, limit } of countedBy(address, ofNetwork)) {
        const used = await limiterOf(name, limit).get(key)
        if (used !== null && used.consumedPoints >= limit.points) return refusalUntil(used.msBeforeNext)
      }
      return null
    },
  }
}
