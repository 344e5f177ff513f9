/**
 * Claim: a backup of 1,000,000 keys, 100,000 people and 100,000 notices takes under a minute beside a running portal, and a restore
 * under five, both without holding the tables in memory.
 *
 * Run: npm run bench -- backup (--keys=10000000; --only=system). Uses the databases of `bench -- lists`.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../server/config.ts'
import { openStorage } from '../../server/create-services.ts'
import { backUp } from '../../server/operator/backup.ts'
import { openForOperator } from '../../server/operator/open.ts'
import { openBackup, restore } from '../../server/operator/restore.ts'
import { readKeySecret } from '../../server/services/key-secret.ts'
import { DATABASES } from './lists/databases.ts'
import { fill } from './lists/fill.ts'

const { values: asked } = parseArgs({
  allowPositionals: true,
  options: { keys: { type: 'string', default: '1000000' }, only: { type: 'string', default: 'own' } },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const kept = join(import.meta.dirname, 'data', 'lists')
mkdirSync(kept, { recursive: true, mode: 0o711 })
const start = DATABASES[asked.only]
if (start === undefined) throw new Error(`--only is one of ${Object.keys(DATABASES).join(', ')}`)

const running = await start(kept, {})
const place = mkdtempSync(join(tmpdir(), 'maru-bench-'))
const folder = join(place, 'backup')
const goal = `maru_restored_${process.pid}`
const url = await running.urlOf(`maru_${asked.keys}`)
try {
  await fill(url, { users: 100_000, notices: 100_000, partners: 10_000, keys: Number(asked.keys) })
  const from = readConfig({ DATA_DIR: join(place, 'from'), DATABASE_URL: url })
  const storage = await openStorage(from)
  const source = await openForOperator(from, say)
  await timed('backup', () =>
    backUp({
      pool: source.pool,
      storage,
      keySecret: readKeySecret(from),
      dataDir: from.dataDir,
      folder,
      recipients: [],
      say,
    }),
  )
  await source.close()
  const bytes = readdirSync(join(folder, 'tables')).reduce(
    (all, name) => all + statSync(join(folder, 'tables', name)).size,
    0,
  )
  say(`${(bytes / 1024 ** 2).toFixed(0)} MB in the folder`)

  const to = readConfig({ DATA_DIR: join(place, 'to'), DATABASE_URL: await running.urlOf(goal) })
  const target = await openForOperator(to, say)
  await timed('restore', async () =>
    restore({
      config: to,
      database: target,
      storage: await openStorage(to),
      backup: await openBackup(folder, ''),
      say,
    }),
  )
  await target.close()
} finally {
  const server = new pg.Client({ connectionString: url })
  await server.connect()
  await server.query(`drop database if exists ${goal} with (force)`)
  await server.end()
  await running.stop()
  rmSync(place, { recursive: true, force: true })
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  say(`${name}: ${seconds.toFixed(1)} s, ${(process.memoryUsage.rss() / 1024 ** 2).toFixed(0)} MB resident`)
}
