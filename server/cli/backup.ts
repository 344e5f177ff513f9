import { resolve } from 'node:path'
import { openStorage } from '../create-services.ts'
import { backUp } from '../operator/backup.ts'
import { openForOperator } from '../operator/open.ts'
import { readKeySecret } from '../services/key-secret.ts'
import { say } from './environment.ts'
import { runOperatorCommand, warnOfMissing } from './operator.ts'

// `npm run backup -- FOLDER`: backs up database, files, access log and key secret into a new or empty folder, also while Maru runs.
// Prints a warning for files that rows name and the storage lacks.
await runOperatorCommand('npm run backup -- FOLDER', async ({ config, words: [folder, ...more] }) => {
  if (folder === undefined || more.length > 0) return undefined
  const begin = performance.now()
  await using database = await openForOperator(config, say)
  const storage = await openStorage(config, { make: false })
  const { recipients } = config.backups
  const keySecret = readKeySecret(config)
  const { missing } = await backUp({
    pool: database.pool,
    storage,
    keySecret,
    dataDir: config.dataDir,
    folder: resolve(folder),
    recipients,
    say,
  })
  if (missing.length > 0) say(warnOfMissing(missing, 'not in the storage'))
  say(
    `The backup in ${resolve(folder)} is whole; it took ${((performance.now() - begin) / 1000).toFixed(1)} s.`,
  )
  say(
    recipients.length === 0
      ? 'It contains the key secret, with which anyone can create keys. Protect it like the portal itself.'
      : `It is encrypted: a restore needs the private key of ${recipients.join(' or ')}.`,
  )
  return true
})
