import pg from 'pg'
import { createStatementNames } from './prepared-statements.ts'

/** Configuration of a pool that waits for `onConnect`, although the type of pg does not state this. */
type AwaitedPoolConfig = Omit<pg.PoolConfig, 'onConnect'> & {
  onConnect: (client: pg.ClientBase) => Promise<unknown>
}

/** Most seconds that the database may work on a statement of a call. */
export const STATEMENT_SECONDS = 60

/**
 * Time limits of a call, in milliseconds. The client has its own limit for a server that has vanished and cannot end
 * the statement.
 */
export const CALL_LIMITS = { statement_timeout: STATEMENT_SECONDS * 1000, query_timeout: 65_000 }

/**
 * Opens a pool of connections, the only way to PostgreSQL, also through PgBouncer in any mode
 * (design/several-copies#connection-pooler). Turns JIT off: PostgreSQL compiles statements that it estimates as expensive, such
 * as the counts of lists, and that takes longer than running them. A statement makes the settings, because PgBouncer refuses
 * startup parameters, and `options` would replace the operator's in DATABASE_URL.
 * @param onError receives the error of an idle connection that broke; the pool replaces it
 */
export function openPool(
  { statement_timeout: limit, ...config }: pg.PoolConfig,
  onError: (error: Error) => void,
): pg.Pool {
  const settings = [`set_config('jit', 'off', false)`]
  if (limit) settings.push(`set_config('statement_timeout', '${limit}', false)`)
  const nameOf = createStatementNames()
  const options: AwaitedPoolConfig = {
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...config,
    async onConnect(client) {
      // One statement checks and sets. Behind a pooler it sets nothing, because clients share sessions.
      const { rowCount } = await client.query(
        `select ${settings.join(', ')} where pg_backend_pid() = ${processOf(client)}`,
      )
      nameStatements(client, rowCount === 0, nameOf)
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
 * Returns the process ID that the server stated when the connection began. The ID that a pooler states is not that of a
 * PostgreSQL process.
 */
export function processOf(client: pg.ClientBase): number {
  return (client as pg.ClientBase & { processID: number | null }).processID ?? 0
}

/**
 * Replaces the query function of a connection. It names the statements that `prepareQuery` compiled, so that PostgreSQL
 * plans each once per connection. Behind a connection pooler it removes all names, because the next query may reach
 * another session, which has not prepared the statement.
 */
function nameStatements(
  client: pg.ClientBase,
  isPooled: boolean,
  nameOf: (text: string) => string | undefined,
): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const unnamed = (asked: unknown, ...more: unknown[]) =>
    query(isNamed(asked) ? { ...asked, name: '' } : asked, ...more)
  const named = (asked: unknown, ...more: unknown[]) => {
    const name = typeof asked === 'string' ? nameOf(asked) : undefined
    if (name === undefined) return query(asked, ...more)
    const [values, ...callback] = more
    return query({ name, text: asked, values }, ...callback)
  }
  client.query = (isPooled ? unnamed : named) as typeof client.query
}

/** Returns whether the argument of a query is one with a name, and no cursor. */
const isNamed = (asked: unknown): asked is pg.QueryConfig =>
  typeof asked === 'object' && asked !== null && 'name' in asked && !('submit' in asked)
