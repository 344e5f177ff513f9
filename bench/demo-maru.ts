/** The whole stack as production builds it, on the demo data, with one signed-in administrator. */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { API_BASE, SESSION_HEADER } from '../contract/envelope.ts'
import { listUsers } from '../contract/users.ts'
import { createApp } from '../server/app.ts'
import { readConfig } from '../server/config.ts'
import { createServices } from '../server/create-services.ts'
import { generateDemo } from '../server/db/demo/generate.ts'
import { migrate } from '../server/db/migrate.ts'
import { openDatabase } from '../server/db/open.ts'
import { startSession } from '../server/http/sessions.ts'
import type { Target } from './lists/load.ts'
import { sealed } from '../server/test-kit/seal.ts'

const config = readConfig({ ...process.env, LOG_LEVEL: 'error' })
const database = await openDatabase(JSON.parse(process.env['CONNECTION'] ?? '') as pg.PoolConfig, () => {})
await migrate(database.db)
const logger = pino({ level: 'error' })
const services = await createServices({ config, database, logger, say: () => {} })
await generateDemo(database.db, {
  storage: services.storage,
  passwords: services.passwords,
  now: new Date(),
  seed: 1,
})
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
app.server.listen(0, '127.0.0.1')
await new Promise((resolve) => app.server.once('listening', resolve))

process.send?.({
  port: (app.server.address() as AddressInfo).port,
  path: API_BASE + listUsers.path,
  headers: { 'Content-Type': 'application/json', [SESSION_HEADER]: session },
  body: sealed(listUsers, { page: 1, perPage: 5 }),
} satisfies Target)
