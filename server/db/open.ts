import { Kysely } from 'kysely'
import pg from 'pg'
import { StartRefusal } from '../startup-error.ts'
import { camelCaseNames } from './column-names.ts'
import { LONG_READS_AT_ONCE, type LongReads, openLongReads } from './long-reads.ts'
import { withConnection } from './one-connection.ts'
import { PostgresInTransaction } from './migrate-lock.ts'
import { CALL_LIMITS, openPool, processOf, STATEMENT_SECONDS } from './pool.ts'
import type { Db } from './database.ts'
import type { Database } from './types.ts'

// A date is a calendar day. As a JavaScript Date it would shift with the server's time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** Open database: Kysely for queries, the pool for code that needs the plain driver. */
export interface OpenDatabase {
  db: Db
  pool: pg.Pool
  /** Name of the role that is connected. */
  role: string
  /** Connections for reads that take longer than a call may. */
  longReads: LongReads
  /** Creates a pool of one connection without the time limits of calls. The caller ends it. */
  openUnlimited(): pg.Pool
  /** Changes to the database that the operator should make, one per line. */
  advice: readonly string[]
  /** Closes the pools. */
  close(): Promise<void>
  /** Closes the pools at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Number of connections of a server for its calls and jobs. Long reads have their own. */
const POOL_SIZE = 20

/** Pool settings for work without a time limit: a migration, and waiting for that of another server. */
export const NO_TIME_LIMIT: pg.PoolConfig = { max: 1, statement_timeout: 0, query_timeout: 0 }

/**
 * Opens a database of PostgreSQL 15 or newer, as a pool of connections. Does not migrate.
 * @param connection a pg configuration: DATABASE_URL as `connectionString`, or the embedded server's socket
 * @param onError receives the error of an idle connection that broke; the pool replaces it
 * @throws {StartRefusal} if the server is too old or not in UTF-8; the error of pg if it cannot be reached
 */
export async function openDatabase(
  connection: pg.PoolConfig,
  onError: (error: Error) => void,
): Promise<OpenDatabase> {
  const pool = openPool(
    {
      max: POOL_SIZE,
      application_name: 'maru',
      ...CALL_LIMITS,
      ...connection,
    },
    onError,
  )
  const advice: string[] = []
  let role: string
  try {
    const server = await readServer(pool)
    role = server.user
    if (server.version < 150_000) {
      throw new StartRefusal(
        'DATABASE_URL: Maru needs PostgreSQL 15 or newer. Upgrade the server or use another one.',
      )
    }
    if (server.encoding !== 'UTF8') {
      throw new StartRefusal(
        `DATABASE_URL: the database's encoding is ${server.encoding}. Create the database again with ENCODING 'UTF8'.`,
      )
    }
    const settings = missingBehindPooler(server)
    if (settings !== '') advice.push(settings)
    const connections = tooFewConnections(server, POOL_SIZE + LONG_READS_AT_ONCE)
    if (connections !== '') advice.push(connections)
  } catch (error) {
    await pool.end()
    throw error
  }
  const longReads = openLongReads(connection, onError)
  /** Closes both pools. */
  async function close() {
    await Promise.all([pool.end(), longReads.close()])
  }
  return {
    db: new Kysely<Database>({ dialect: new PostgresInTransaction({ pool }), plugins: [camelCaseNames] }),
    pool,
    role,
    longReads,
    openUnlimited: () =>
      openPool({ application_name: 'maru backup', ...connection, ...NO_TIME_LIMIT }, onError),
    advice,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Properties of a database server as its clients see them. */
interface Server {
  /** As `server_version_num`, such as 150000 for PostgreSQL 15. */
  version: number
  /** Encoding of the database, such as UTF8. */
  encoding: string
  /** Whether a pooler such as PgBouncer stands between. */
  isPooled: boolean
  /** Setting `jit` of the session: on or off. */
  jit: string
  /** Setting `statement_timeout` of the session; 0 for none. */
  limit: string
  /** Name of the connected role. */
  user: string
  /** User and database, quoted for a statement. */
  role: string
  /** Name of the database, quoted for a statement. */
  name: string
  /** Connections that are available to all clients. */
  offered: number
}

/** Reads the properties of a database server on one connection. */
async function readServer(pool: pg.Pool): Promise<Server> {
  return withConnection(pool, async (client) => {
    const { rows } = await client.query<Server>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
        pg_backend_pid() <> $1 as "isPooled", current_setting('jit') as jit,
        current_setting('statement_timeout') as limit,
        current_user as user, quote_ident(current_user) as role, quote_ident(current_database()) as name,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as offered`,
      [processOf(client)],
    )
    if (rows[0] === undefined) throw new Error('the database returned no facts about itself')
    return rows[0]
  })
}

/**
 * Returns a warning with the statements for the settings that Maru makes itself in a direct session and cannot make behind a
 * pooler; '' if none is missing (rules/running#pooler).
 */
function missingBehindPooler({ isPooled, jit, limit, role, name }: Server): string {
  if (!isPooled) return ''
  const wanted = [
    ...(jit === 'on' ? ['jit = off'] : []),
    ...(limit === '0' ? [`statement_timeout = '${STATEMENT_SECONDS}s'`] : []),
  ]
  if (wanted.length === 0) return ''
  const statements = wanted.map((setting) => `ALTER ROLE ${role} IN DATABASE ${name} SET ${setting};`)
  return `WARNING: DATABASE_URL leads through a pooler, whose sessions Maru cannot set up. Run once as a superuser of PostgreSQL, then RECONNECT in the pooler: ${statements.join(' ')}`
}

/**
 * Returns a warning if the server has too few connections; '' otherwise, and behind a pooler, which has its own limit and lets
 * clients wait.
 * @param wanted most connections that this process opens
 */
function tooFewConnections({ isPooled, offered }: Server, wanted: number): string {
  return isPooled || wanted <= offered
    ? ''
    : `WARNING: DATABASE_URL: this Maru may need ${wanted} connections, and the database offers ${offered} to all its clients. Raise max_connections or put PgBouncer between.`
}
