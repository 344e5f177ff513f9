import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Config } from '../config.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1000

/**
 * Removes what has run out, now and every ten minutes: dead sessions, counts of tries, old failures, codes.
 * Nothing decides by these rows any more when they go; the sweep only keeps the tables small.
 * @returns stops the sweep and waits for one that runs
 */
export function startSweep(pool: pg.Pool, config: Config, logger: FastifyBaseLogger): () => Promise<void> {
  const { idleSeconds, absoluteSeconds } = config.session
  const sweep = async () => {
    try {
      await pool.query(
        `delete from sessions where created_at < now() - make_interval(secs => $1)
          or last_used_at < now() - make_interval(secs => $2)`,
        [absoluteSeconds, idleSeconds],
      )
      await pool.query(`delete from login_failures where last_failed_at < now() - interval '30 days'`)
      await pool.query(`delete from certifications where expires_at < now()`)
      await pool.query(`delete from mails where failed_at < now() - interval '30 days'`)
      await pool.query(`delete from file_links where created_at < now() - interval '2 hours'`)
      await pool.query(`delete from rate_limits where expire < extract(epoch from now()) * 1000`)
    } catch (error) {
      logger.error({ err: error }, 'the sweep failed and is tried again later')
    }
  }
  let running = sweep()
  const timer = setInterval(() => {
    running = sweep()
  }, SWEEP_EVERY_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
