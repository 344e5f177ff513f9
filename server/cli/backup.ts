import { resolve } from 'node:path'
import { openStorage } from '../create-services.ts'
import { backUp } from '../operator/backup.ts'
import { openForOperator } from '../operator/open.ts'
import { readKeySecret } from '../services/key-secret.ts'
import { say } from './environment.ts'
import { asOperator } from './operator.ts'

await asOperator('npm run backup -- FOLDER', async ({ config, words: [folder, ...more] }) => {
  if (folder === undefined || more.length > 0) return undefined
  const begin = performance.now()
  const database = await openForOperator(config, say)
  try {
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
    for (const { path, name } of missing)
      say(`WARNING: a file that a row names is not in the storage: ${path}/${name}`)
    say(
      `The backup in ${resolve(folder)} is whole; it took ${((performance.now() - begin) / 1000).toFixed(1)} s.`,
    )
    say(
      recipients.length === 0
        ? 'The key secret is in it: whoever has it can make keys. Keep it as safe as the portal itself.'
        : `It is encrypted: a restore needs the private key of ${recipients.join(' or ')}.`,
    )
    return true
  } finally {
    await database.close()
  }
})
