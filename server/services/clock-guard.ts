import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'

/** Seconds of a day, the largest difference of a clock that is trusted. */
const DAY_SECONDS = 86_400
/** Milliseconds for which the result of a check is repeated. */
const HOLDS_MS = 30_000

/** Returns an SQL condition: the clock is at most a day from the time in this column. */
const isNear = (column: string) => `abs(extract(epoch from now() - heartbeat.${column})) <= ${DAY_SECONDS}`

/** SQL condition: the clock is where it was trusted, or has run on for a day since its jump. */
const IS_TRUSTED = `(${isNear('trusted_at')} or (${isNear('seen_at')}
  and coalesce(extract(epoch from now() - heartbeat.doubted_since) >= ${DAY_SECONDS}, false)))`

/**
 * SQL statement that compares the database's clock with the stored row and updates the row. A jump of more than a day
 * is doubted until the clock is back, or has run on for a day. All times in the row are the database's. A backup does
 * not contain the row.
 */
const LOOK = `
  insert into heartbeat default values on conflict (id) do update set
    doubted_since = case
      when ${IS_TRUSTED} then null
      when ${isNear('seen_at')} then coalesce(heartbeat.doubted_since, now())
      -- Another jump: the day begins again.
      else now() end,
    trusted_at = case when ${IS_TRUSTED} then now() else heartbeat.trusted_at end,
    seen_at = now()
  returning doubted_since is not null as "isDoubted", trusted_at as "trustedAt", now() as now`

/** Check of whether the clock can be trusted (rules/running#clock). */
export interface ClockGuard {
  /**
   * Returns whether the database's clock jumped by more than a day, or differs that much from this machine's. A jump is doubted
   * until the clock is back, or has run on for a day. Caches its result for 30 seconds, but no failure.
   * @throws the error of the database
   */
  isDoubted(): Promise<boolean>
}

/**
 * Creates the check of the clock. It logs when the clock becomes untrusted and when it is trusted again.
 * @param holdsMs milliseconds for which a result is repeated; shorter in tests
 */
export function createClockGuard(
  pool: pg.Pool,
  logger: Pick<FastifyBaseLogger, 'error' | 'info'>,
  holdsMs = HOLDS_MS,
): ClockGuard {
  let wasDoubted = false
  let answer: Promise<boolean> | undefined
  let holdsUntil = 0

  const ask = async () => {
    const { rows } = await pool.query<{ isDoubted: boolean; trustedAt: Date; now: Date }>(LOOK)
    const [{ isDoubted, trustedAt, now } = { isDoubted: false, trustedAt: new Date(), now: new Date() }] =
      rows
    const isFar = Math.abs(now.getTime() - Date.now()) > DAY_SECONDS * 1000
    const doubted = isDoubted || isFar
    if (doubted && !wasDoubted)
      logger.error(
        { now, trustedAt, here: new Date() },
        'the clock jumped by more than a day; nothing expires or is deleted until it is corrected or has run for a day',
      )
    if (!doubted && wasDoubted) logger.info({ now }, 'the clock is trusted again')
    wasDoubted = doubted
    return doubted
  }
  return {
    isDoubted() {
      // After a step back in time the result would be repeated for too long.
      if (answer === undefined || Date.now() >= holdsUntil || holdsUntil - Date.now() > holdsMs) {
        answer = ask()
        // A failure is not cached, so that the next call checks again.
        answer.catch(() => (answer = undefined))
        holdsUntil = Date.now() + holdsMs
      }
      return answer
    },
  }
}
