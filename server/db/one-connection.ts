import type pg from 'pg'

/**
 * Works on one connection of the pool, as session locks and hand-written transactions need. A broken connection fails
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
