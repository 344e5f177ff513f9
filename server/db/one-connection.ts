import type pg from 'pg'

/**
 * Works on one connection of the pool, as a lock of a session or a hand-written transaction needs it. A connection
 * that breaks between two queries tells whoever listens, and nobody listening would end the process: here it makes
 * the next query fail, and the connection is thrown away.
 */
export async function onOneConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  const note = (error: Error) => {
    broken = error
  }
  client.on('error', note)
  try {
    return await work(client)
  } finally {
    client.off('error', note)
    client.release(broken)
  }
}
