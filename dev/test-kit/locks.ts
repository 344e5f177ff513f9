import type pg from 'pg'

/** Waits, without a limit, until another connection is blocked by a lock of this one. */
export async function untilBlocked(locker: pg.ClientBase): Promise<void> {
  const waiting = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
  while ((await locker.query(waiting)).rowCount === 0) await locker.query('select pg_sleep(0.02)')
}
