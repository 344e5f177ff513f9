/** A server on a database of the measurement's, whose access log is written or not; in a process of its own. */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { createApp } from '../../../server/app.ts'
import { readConfig } from '../../../server/config.ts'
import { createServices } from '../../../server/create-services.ts'
import { openDatabase } from '../../../server/db/open.ts'
import { createLog } from '../../../server/log.ts'
import type { AccessLog } from '../../../server/services/access-log.ts'

const { connection, isLogged } = JSON.parse(process.env['SERVER'] ?? '') as {
  connection: pg.PoolConfig
  isLogged: boolean
}
const noLog: AccessLog = {
  admit: () => {},
  write: async () => {},
  keepHeads: async () => {},
  problems: () => [],
  keepCopies: async () => {},
  close: async () => {},
}
const config = readConfig(process.env)
const database = await openDatabase(connection, () => {})
const logger = createLog('error')
const services = await createServices(
  { config, database, logger, say: () => {} },
  isLogged ? {} : { accessLog: noLog },
)
const app = await createApp({ database, services, logger })
await app.listen({ port: 0, host: '127.0.0.1' })
// As the job does.
const keeping = setInterval(() => void services.accessLog.keepHeads(), 1000)
process.on('disconnect', () => {
  clearInterval(keeping)
  void app.close().then(() => process.exit())
})
process.send?.((app.server.address() as AddressInfo).port)
