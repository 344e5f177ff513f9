import type pg from 'pg'

/** Returns how many connections of this database wait for a lock. */
export async function countWaiting(database: pg.Pool): Promise<number> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  return (await database.query(waiting)).rowCount ?? 0
}

/** Waits, without a limit, until another connection is blocked by a lock of this one. */
export async function untilBlocked(locker: pg.ClientBase): Promise<void> {
  const waiting = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
  while ((await locker.query(waiting)).rowCount === 0) await locker.query('select pg_sleep(0.02)')
}
