import pg from 'pg'
import { statementName } from './prepared-statements.ts'

/** The pool waits for `onConnect`, which its type does not say. */
type AwaitedPoolConfig = Omit<pg.PoolConfig, 'onConnect'> & {
  onConnect: (client: pg.ClientBase) => Promise<unknown>
}

/** How long the database works on one statement of a call. */
export const STATEMENT_SECONDS = 60

/** The server gives up on a statement; where the server itself has vanished, this side does. */
export const CALL_LIMITS = { statement_timeout: STATEMENT_SECONDS * 1000, query_timeout: 65_000 }

/**
 * Opens a pool of connections, the only way to PostgreSQL; through PgBouncer too, in whatever mode (design/several-copies#connection-pooler).
 *
 * Without JIT: PostgreSQL compiles what its estimates call expensive, which the counts of our lists are, and takes
 * longer for it than for the answer. Settings are made by a statement and not as startup parameters, which PgBouncer
 * refuses and of which `options` would take the place of the operator's in DATABASE_URL.
 * @param onError told of an idle connection that broke; the pool replaces it
 */
export function openPool(
  { statement_timeout: limit, ...config }: pg.PoolConfig,
  onError: (error: Error) => void,
): pg.Pool {
  const settings = [`set_config('jit', 'off', false)`]
  if (limit) settings.push(`set_config('statement_timeout', '${limit}', false)`)
  const options: AwaitedPoolConfig = {
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...config,
    async onConnect(client) {
      // One statement asks and sets: behind a pooler nothing is set, because the session is everybody's.
      const { rowCount } = await client.query(
        `select ${settings.join(', ')} where pg_backend_pid() = ${processOf(client)}`,
      )
      nameStatements(client, rowCount === 0)
    },
  }
  const pool = new pg.Pool(options)
  pool.on('error', onError)
  // The pool itself only listens for errors of idle connections. A busy connection that breaks fails its current or next query.
  // Without a listener its error would also end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/**
 * The process that answers a connection, as the other end said when it began; what a pooler says is not the number of any
 * process of PostgreSQL's.
 */
export function processOf(client: pg.ClientBase): number {
  return (client as pg.ClientBase & { processID: number | null }).processID ?? 0
}

/**
 * Names the prepared statements. Behind a connection pooler it removes all names: the next query may reach another session, which has
 * not prepared the statement.
 */
function nameStatements(client: pg.ClientBase, isPooled: boolean): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const unnamed = (asked: unknown, ...more: unknown[]) =>
    query(isNamed(asked) ? { ...asked, name: '' } : asked, ...more)
  const named = (asked: unknown, ...more: unknown[]) => {
    const name = typeof asked === 'string' ? statementName(asked) : undefined
    if (name === undefined) return query(asked, ...more)
    const [values, ...callback] = more
    return query({ name, text: asked, values }, ...callback)
  }
  client.query = (isPooled ? unnamed : named) as typeof client.query
}

const isNamed = (asked: unknown): asked is pg.QueryConfig =>
  typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked)
