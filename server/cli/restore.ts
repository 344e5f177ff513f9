import { resolve } from 'node:path'
import { openStorage } from '../create-services.ts'
import { openForOperator, refuseServers } from '../operator/open.ts'
import { openBackup, restore } from '../operator/restore.ts'
import { readMoment, restoreUntil } from '../operator/restore-to-time.ts'
import { say } from './environment.ts'
import { runOperatorCommand, warnOfMissing } from './operator.ts'

/** How to call the command. */
const USAGE = 'npm run restore -- FOLDER, or npm run restore -- FOLDER --until 2026-11-22T09:30'

// `npm run restore -- FOLDER`: restores a backup into an empty installation; with `--until`, the embedded database as it was then.
await runOperatorCommand(USAGE, async ({ config, words: [folder, ...more], until }) => {
  if (folder === undefined || more.length > 0) return undefined
  const begin = performance.now()
  if (until !== undefined) {
    const storage = await openStorage(config)
    const moment = readMoment(until)
    const { lastChange, missing } = await restoreUntil({
      config,
      storage,
      folder: resolve(folder),
      until: moment,
      say,
    })
    if (missing.length > 0) say(warnOfMissing(missing, 'neither in the storage nor in a backup'))
    say(
      `Restored as of ${moment.toISOString()} (last change: ${lastChange?.toISOString() ?? 'in the backup'}), in ${((performance.now() - begin) / 1000).toFixed(1)} s. All users must log in again. Now start Maru.`,
    )
    return true
  }
  const backup = await openBackup(resolve(folder), config.backups.identityFile)
  await using database = await openForOperator(config, say)
  await refuseServers(database)
  const storage = await openStorage(config)
  const { takenAt } = await restore({ config, database, storage, backup, say })
  say(
    `Restored as of ${takenAt}, in ${((performance.now() - begin) / 1000).toFixed(1)} s. All users must log in again. Now start Maru.`,
  )
  return true
})
