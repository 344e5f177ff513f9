import type pg from 'pg'

/**
 * Works on one connection of the pool, as hand-written transactions need. A broken connection fails
 * the next query and is replaced by the pool.
 */
export async function onOneConnection<T>(
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
 * Works while no other server does, under a lock of PostgreSQL's (`LOCK`). It belongs to a transaction that does nothing else,
 * so that PgBouncer leaves it its session and nothing it does is held up; the work uses other connections.
 * @param work gets what throws when the lock was lost on the way
 * @returns undefined when another one has the lock
 */
export function whileLocked<T>(
  pool: pg.Pool,
  lock: number,
  work: (stillMine: () => Promise<unknown>) => Promise<T>,
): Promise<T | undefined> {
  return onOneConnection(pool, async (client) => {
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
