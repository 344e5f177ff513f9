/** Maru without its jobs in a process of its own, with its access log or without. */
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import type { AccessLog } from '../../../server/services/access-log.ts'
import { createBenchApp } from './app.ts'
import { closeAll } from './bench.ts'
import { inputOf } from './child.ts'

/**
 * Input of the child process that runs Maru without its jobs: its database, its data folder, and whether it writes the
 * access log. Its first message is its port.
 */
export interface AppChildInput {
  connection: pg.PoolConfig
  dataDir: string
  isLogged: boolean
}

/** Access log that records nothing, for `isLogged: false`. */
const noLog: AccessLog = {
  admit: () => {},
  write: async () => {},
  keepHeads: async () => {},
  problems: () => [],
  keepCopies: async () => {},
  close: async () => {},
}
const { connection, dataDir, isLogged } = await inputOf<AppChildInput>(async () => {
  await closeAll()
  process.exit()
})
const { app, services } = await createBenchApp(
  connection,
  { DATA_DIR: dataDir },
  isLogged ? {} : { accessLog: noLog },
)
await app.listen({ port: 0, host: '127.0.0.1' })
// As the job does.
setInterval(() => void services.accessLog.keepHeads(), 1000)
process.send?.((app.server.address() as AddressInfo).port)
