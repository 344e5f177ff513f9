/** Supports design/backups#content-of-a-backup, design/backups#scheduled-backups. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { readConfig } from '../../server/config.ts'
import { openStorage } from '../../server/create-services.ts'
import { backUp } from '../../server/operator/backup.ts'
import { openForOperator } from '../../server/operator/open.ts'
import { openBackup, restore } from '../../server/operator/restore.ts'
import { readKeySecret } from '../../server/services/key-secret.ts'
import { atEnd, defineBench, say } from './harness/bench.ts'
import { createFolder } from './harness/maru.ts'
import { printHead, printRow, sum, measureTime } from './harness/numbers.ts'
import { companyOf, databaseOf, fillCompany } from './lists/company.ts'
import { startKept } from './lists/databases.ts'

/**
 * Backs up a database that is kept between runs, without encryption, and restores it into a new one, which is deleted
 * at the end. Prints the times, the memory of this process, and the bytes of the tables' files.
 */
export default defineBench({
  name: 'backup',
  claim: 'A backup of a large company takes less than 1 min and a restore less than 5, in constant memory',
  options: { keys: 1_000_000, users: 100_000, only: 'own' },
  async run({ keys, users, only }) {
    const running = await startKept(only)
    const url = await running.urlOf(databaseOf(users, keys))
    const place = createFolder()
    const folder = join(place, 'backup')
    await fillCompany(url, keys, companyOf(users))

    const from = readConfig({ DATA_DIR: join(place, 'from'), DATABASE_URL: url })
    const source = await openForOperator(from, say)
    const storage = await openStorage(from)
    const parts = { pool: source.pool, storage, keySecret: readKeySecret(from), dataDir: from.dataDir }
    const [, backupMs] = await measureTime(() => backUp({ ...parts, folder, recipients: [], say }))
    const backupMb = residentMb()
    await source.close()
    const tables = readdirSync(join(folder, 'tables'))
    const bytes = sum(tables.map((name) => statSync(join(folder, 'tables', name)).size))

    const to = readConfig({ DATA_DIR: join(place, 'to'), DATABASE_URL: await running.urlOf(GOAL) })
    atEnd(async () => {
      const server = new pg.Client({ connectionString: url })
      await server.connect()
      await server.query(`drop database if exists ${GOAL} with (force)`)
      await server.end()
    })
    const target = await openForOperator(to, say)
    const into = { config: to, database: target, storage: await openStorage(to) }
    const backup = await openBackup(folder, '')
    const [, restoreMs] = await measureTime(() => restore({ ...into, backup, say }))
    await target.close()

    printHead('', 's', 'resident, MB', 'in the folder, MB')
    printRow('backup', backupMs / 1000, backupMb, (bytes / 1024 ** 2).toFixed(0))
    printRow('restore', restoreMs / 1000, residentMb(), '')
  },
})

/** Name of the database into which the backup is restored. */
const GOAL = `maru_restored_${process.pid}`
/** Returns the resident memory of this process in MB. */
const residentMb = () => (process.memoryUsage.rss() / 1024 ** 2).toFixed(0)
