import type pg from 'pg'

/**
 * Runs work on one connection of the pool, for hand-written transactions, and releases it afterwards. If the connection
 * breaks, the next query fails, and the pool replaces it.
 */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    return await work(client)
  } finally {
    client.release()
  }
}

/**
 * Runs work under an advisory lock, so that only one server does. Does not wait for the lock. The lock belongs to a transaction
 * that does nothing else, because PgBouncer keeps its session only that long. The work uses other connections.
 * @param lock a number of `LOCK`
 * @param work receives a function that throws if the lock was lost, because its connection broke
 * @returns the result of `work`; undefined if another server has the lock
 */
export function withAdvisoryLock<T>(
  pool: pg.Pool,
  lock: number,
  work: (assertLockHeld: () => Promise<unknown>) => Promise<T>,
): Promise<T | undefined> {
  return withConnection(pool, async (client) => {
    await client.query('begin')
    try {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock($1) as mine from set_config('idle_in_transaction_session_timeout', '0', true)`,
        [lock],
      )
      if (rows[0]?.mine !== true) return undefined
      return await work(() => client.query('select 1'))
    } finally {
      await client.query('rollback')
    }
  })
}
