/**
 * Claim: a second start takes less than a second with a database elsewhere and less than two with Maru's own, and at rest
 * all processes of Maru, PostgreSQL's apart, hold at most 150 MB.
 *
 * Run: npm run bench -- start
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { urlOf } from '../../server/db/embedded.ts'
import { startOwnDatabase } from './own-database.ts'
import { startAsPeopleDo } from './started-maru.ts'

const STARTS = 5
/** What a start leaves behind is collected by then. */
const REST_MS = 5_000

const elsewhere = await startOwnDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'maru-bench-'))
try {
  await measure('a database elsewhere', { DATABASE_URL: urlOf(elsewhere.connection), DATA_DIR: dataDir })
  await measure("Maru's own", { DATABASE_URL: '', DATA_DIR: join(dataDir, 'own') })
} finally {
  await elsewhere.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(database: string, env: Record<string, string>): Promise<void> {
  const times: number[] = []
  const cpu: number[] = []
  let resident: number[] = []
  // The first one makes the tables and compiles.
  for (let i = 0; i <= STARTS; i += 1) {
    const maru = await startAsPeopleDo(env)
    if (i > 0) {
      times.push(maru.startMs / 1000)
      cpu.push(maru.cpuMs() / 1000)
    }
    if (i === STARTS) await sleep(REST_MS)
    resident = maru.resident()
    await maru.stop()
  }
  const [fastest, median] = [times.toSorted((a, b) => a - b)[0], times.toSorted((a, b) => a - b)[STARTS >> 1]]
  const sum = resident.reduce((all, each) => all + each, 0)
  process.stdout.write(
    `${database}: second start ${median?.toFixed(2)} s (fastest ${fastest?.toFixed(2)}, CPU ${Math.min(...cpu).toFixed(2)}), at rest ${sum.toFixed(0)} MB (${resident.map((mb) => mb.toFixed(0)).join(' + ')})\n`,
  )
}
