/**
 * One server of `issue-race.ts`: the production app in a process of its own. Listens on a free port, and sends the port to the
 * parent. A message with a time (ISO 8601) sets its clock, which stands still from then on; the answer is 'set'. Ends when the
 * parent disconnects.
 */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { pino } from 'pino'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createServices } from '../../server/create-services.ts'
import { openDatabase } from '../../server/db/open.ts'

/** Time that the clock shows; undefined means the real time. */
let now: Date | undefined
const config = readConfig({ DATA_DIR: process.env['DATA_DIR'], LOG_LEVEL: 'error', CALL_LIMIT_PERCENT: '0' })
const logger = pino({ level: 'error' })
const connection = JSON.parse(process.env['CONNECTION'] ?? '') as pg.PoolConfig
const database = await openDatabase({ ...connection, max: 20 }, () => {})
const services = await createServices({ config, database, logger, say: () => {} })
const app = await createApp({ database, services, logger, clock: () => now ?? new Date() })
await app.ready()
process.on('message', (moment: string) => {
  now = new Date(moment)
  process.send?.('set')
})
process.on('disconnect', () => process.exit(0))
app.server.listen({ port: 0, host: '0.0.0.0', backlog: 2048 }, () => {
  process.send?.((app.server.address() as AddressInfo).port)
})
