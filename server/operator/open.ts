import type pg from 'pg'
import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/running.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from '../db/open.ts'
import { StartRefusal } from '../start-refusal.ts'

/** What the database calls the operator's connections, beside the server's `maru`. */
const APPLICATION = 'maru-operator'

/**
 * Opens the database that a configuration names as its owner, beside a running server too: DATABASE_OWNER_URL, without one
 * DATABASE_URL, or Maru's own, which is started for this command where no Maru runs. Nothing is migrated, and no time limit cuts what is asked.
 * @param say takes each line of progress that a person may read
 * @throws {StartRefusal} where it cannot be reached
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

/**
 * How many connections of serving Marus there are: what they write after a copy began would be missing in it.
 */
export async function countServers(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'maru'`,
  )
  return rows[0]?.count ?? 0
}
