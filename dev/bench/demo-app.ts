/** The whole stack as production builds it, on the demo data, in this process, with one signed-in administrator. */
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createServices } from '../../server/create-services.ts'
import { generateDemo } from '../demo/generate.ts'
import { migrate } from '../../server/db/migrate.ts'
import { type OpenDatabase, openDatabase } from '../../server/db/open.ts'
import { startSession } from '../../server/http/sessions.ts'

/** The app, not listening yet. */
export interface DemoApp {
  app: FastifyInstance
  database: OpenDatabase
  /** The administrator's sessionUid. */
  session: string
}

/** Makes it on an empty database. */
export async function createDemoApp(connection: pg.PoolConfig): Promise<DemoApp> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
  const database = await openDatabase(connection, () => {})
  await migrate(database.db)
  const logger = pino({ level: 'error' })
  const services = await createServices({ config, database, logger, say: () => {} })
  const { storage, passwords } = services
  await generateDemo(database.db, { storage, passwords, now: new Date(), seed: 1 })
  await database.pool.query('analyze')
  const admin = await database.db
    .selectFrom('users')
    .select('id')
    .where('login_id', '=', 'admin')
    .executeTakeFirstOrThrow()
  const session = await database.db
    .transaction()
    .execute((tx) => startSession(tx, { userId: admin.id, address: '127.0.0.1', userAgent: 'bench' }))
  const app = await createApp({ database, services, logger })
  await app.ready()
  return { app, database, session }
}
