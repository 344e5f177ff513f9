import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createApp } from '../../../server/app.ts'
import { readConfig } from '../../../server/config.ts'
import { createServices } from '../../../server/create-services.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../../../server/db/open.ts'
import type { Services } from '../../../server/http/handler.ts'
import { createLog } from '../../../server/log.ts'
import { atEnd } from './bench.ts'

/** Maru in this process, without its jobs. */
export interface BenchApp {
  app: FastifyInstance
  database: OpenDatabase
  services: Services
}

/**
 * Creates the app as production builds it, on a database that it migrates. Starts no jobs and does not listen. It
 * closes when the benchmark ends.
 * @param env environment variables, in addition to those of this process, which they replace
 * @param differs services that replace production's
 */
export async function createBenchApp(
  connection: pg.PoolConfig,
  env: Record<string, string>,
  differs: Partial<Services> = {},
): Promise<BenchApp> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error', ...env })
  const database = await openDatabase(connection, () => {})
  await migrate(database.db)
  const logger = createLog('error')
  const services = await createServices({ config, database, logger, say: () => {} }, differs)
  const app = await createApp({ database, services, logger })
  await app.ready()
  atEnd(async () => {
    await app.close()
    await services.jobs.stop()
    services.mail.close()
    await database.close()
  })
  return { app, database, services }
}
