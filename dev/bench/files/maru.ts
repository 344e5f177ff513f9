/** The whole product as `npm start` runs it, but for what it prints. */
import { readConfig } from '../../../server/config.ts'
import { startMaru } from '../../../server/start.ts'
import { watchMemory } from './memory.ts'

const maru = await startMaru({
  config: readConfig({ ...process.env, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }),
  say: () => {},
})
process.send?.({ port: Number(new URL(maru.url).port) })
watchMemory()
process.on('SIGTERM', () => void maru.stop().then(() => process.exit(0)))
