import type pg from 'pg'

/**
 * Works on one connection of the pool, as a lock of a session or a hand-written transaction needs it. One that broke
 * fails the next query, and the pool replaces it.
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
