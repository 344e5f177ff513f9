import type pg from 'pg'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/running.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../db/open.ts'
import { StartRefusal } from '../start-refusal.ts'

/** Application name of the operator's database connections. The server's is `maru`. */
const APPLICATION = 'maru-operator'

/**
 * Opens the configured database as its owner, also while a server runs: DATABASE_OWNER_URL, else DATABASE_URL, else the embedded
 * PostgreSQL, which is started for this command if no Maru runs. Does not migrate. Queries have no time limit.
 * @param say takes each line of progress that a person may read
 * @throws {StartRefusal} if the database cannot be reached
 */
export async function openForOperator(
  { dataDir, databaseUrl, databaseOwnerUrl }: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseOwnerUrl'>,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  if (databaseOwnerUrl !== '') return openAt({ connectionString: databaseOwnerUrl }, 'DATABASE_OWNER_URL')
  if (databaseUrl !== '') return openAt({ connectionString: databaseUrl }, 'DATABASE_URL')
  const running = findRunning(dataDir)
  if (running !== undefined) return openAt({ ...running }, `DATA_DIR ${dataDir}`)
  const own = await startEmbedded({ dataDir, log: say })
  try {
    const database = await openAt({ ...own.owner }, `DATA_DIR ${dataDir}`)
    return {
      ...database,
      async close() {
        await database.close()
        await own.stop()
      },
    }
  } catch (error) {
    await own.stop()
    throw error
  }
}

async function openAt(connection: pg.PoolConfig, variable: string): Promise<OpenDatabase> {
  try {
    return await openDatabase({ ...connection, ...NO_TIME_LIMIT, application_name: APPLICATION }, () => {})
  } catch (error) {
    if (error instanceof StartRefusal) throw error
    const why = error instanceof Error ? error.message || error.name : String(error)
    throw new StartRefusal(
      `${variable}: the database cannot be used (${why}). Check that it runs and that user, password and name are right.`,
      {
        cause: error,
      },
    )
  }
}

/** Counts the connections of running Maru servers. A copy would lack what they write after it began. */
export async function countServers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'maru'`,
  )
  return rows[0]?.count ?? 0
}
