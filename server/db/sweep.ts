import type pg from 'pg'
import type { Config } from '../config.ts'

/**
 * Removes expired rows: dead sessions, counts of tries, old failures, codes.
 * Nothing depends on them any more; the sweep only keeps the tables small.
 */
export async function sweepRows(pool: pg.Pool, { session }: Pick<Config, 'session'>): Promise<void> {
  await pool.query(
    `delete from sessions where created_at < now() - make_interval(secs => $1)
      or last_used_at < now() - make_interval(secs => $2)`,
    [session.absoluteSeconds, session.idleSeconds],
  )
  await pool.query(`delete from login_failures where last_failed_at < now() - interval '30 days'`)
  await pool.query(`delete from certifications where expires_at < now()`)
  await pool.query(`delete from mails where failed_at < now() - interval '30 days'`)
  await pool.query(`delete from file_links where created_at < now() - interval '2 hours'`)
  await pool.query(`delete from rate_limits where expire < extract(epoch from now()) * 1000`)
}
