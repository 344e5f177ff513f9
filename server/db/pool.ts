import pg from 'pg'

/** The pool waits for `onConnect`, which its type does not say. */
type AwaitedPoolConfig = Omit<pg.PoolConfig, 'onConnect'> & {
  onConnect: (client: pg.ClientBase) => Promise<unknown>
}

/**
 * Opens a pool of connections, the only way to PostgreSQL.
 *
 * Without JIT: PostgreSQL compiles what its estimates call expensive, which the counts of our lists are, and takes
 * longer for it than for the answer. By SET and not as the startup parameter `options`, which PgBouncer refuses and
 * which would take the place of the operator's in DATABASE_URL. Where PgBouncer pools by transaction, SET reaches the
 * connections one by one: `alter role … set jit = off` does it at once there.
 * @param onError told of an idle connection that broke; the pool replaces it
 */
export function openPool(config: pg.PoolConfig, onError: (error: Error) => void): pg.Pool {
  const options: AwaitedPoolConfig = {
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...config,
    onConnect: (client) => client.query('set jit = off'),
  }
  const pool = new pg.Pool(options)
  pool.on('error', onError)
  // The pool listens for breaks of idle connections alone. One that breaks at work fails the query that is asked of it
  // now or next; with nobody listening it would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
