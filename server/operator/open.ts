import type pg from 'pg'
import { messageOf } from '../caught-errors.ts'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/find-running.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../db/open.ts'
import { findServer, GONE_SECONDS } from '../services/server-registry.ts'
import { StartRefusal } from '../startup-error.ts'

/** Application name of the operator's database connections. The server's is `maru`. */
const APPLICATION = 'maru-operator'

/**
 * Opens the configured database as its owner, also while a server runs: DATABASE_OWNER_URL, else DATABASE_URL, else the embedded
 * PostgreSQL. Starts that for this command if no Maru runs; `close` then stops it. Does not migrate. Queries have no time limit.
 * @param say takes each line of progress that a person may read
 * @param variable name of the setting with the URL, for the error
 * @throws {StartRefusal} if the database cannot be reached
 */
export async function openForOperator(
  { dataDir, databaseUrl, databaseOwnerUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl'>,
  say: (line: string) => void,
  variable = 'DATABASE_URL',
): Promise<OpenDatabase> {
  if (databaseOwnerUrl !== '') return openAt({ connectionString: databaseOwnerUrl }, 'DATABASE_OWNER_URL')
  if (databaseUrl !== '') return openAt({ connectionString: databaseUrl }, variable)
  const running = findRunning(dataDir)
  if (running !== undefined) return openAt({ ...running }, `DATA_DIR ${dataDir}`)
  const own = await startEmbedded({ dataDir, log: say })
  try {
    const database = await openAt({ ...own.owner }, `DATA_DIR ${dataDir}`)
    const close = async () => {
      await database.close()
      await own.stop()
    }
    return { ...database, close, [Symbol.asyncDispose]: close }
  } catch (error) {
    await own.stop()
    throw error
  }
}

/**
 * Opens a database.
 * @throws {StartRefusal} naming the variable, if it cannot be used
 */
async function openAt(connection: pg.PoolConfig, variable: string): Promise<OpenDatabase> {
  try {
    return await openDatabase({ ...connection, ...NO_TIME_LIMIT, application_name: APPLICATION }, () => {})
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    const why = messageOf(error)
    throw new StartRefusal(
      `${variable}: the database cannot be used (${why}). Check that it runs and that user, password and name are correct.`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Refuses a database on which Maru runs: a copy would lack the rows that it writes after the copy began. Reads the list
 * of servers, because a pooler keeps their connections.
 * @throws {StartRefusal} naming the server
 */
export async function refuseServers({ pool }: Pick<OpenDatabase, 'pool'>): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>(
    `select to_regclass('servers') is not null as exists`,
  )
  const server = rows[0]?.exists === true ? await findServer(pool) : undefined
  if (server !== undefined)
    throw new StartRefusal(
      `Maru is running on this database (${server}). Stop it first, or its changes would be lost. A killed server counts for ${GONE_SECONDS} s.`,
    )
}

/** Returns whether a database contains users; false for one without the schema. */
export async function hasUsers(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>(`select to_regclass('users') is not null as exists`)
  return rows[0]?.exists === true && (await pool.query('select from users limit 1')).rowCount !== 0
}
