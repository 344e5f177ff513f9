import { openStorage } from '../create-services.ts'
import { check, checkLog, listQuarantine } from '../operator/check.ts'
import { adoptStorageForOperator, forgetKeySecretsForOperator } from '../operator/decisions.ts'
import { openForOperator } from '../operator/open.ts'
import type { Storage } from '../services/storage.ts'
import { say } from './environment.ts'
import { runOperatorCommand } from './operator.ts'

// `npm run check`: prints a finding per part of Maru, and exits with 1 if one has a problem. `log` verifies the whole access log
// instead. The flags first pair database and storage or mark lost key secrets as lost, or list the quarantine at the end.
await runOperatorCommand(
  'npm run check, npm run check -- log, npm run check -- --quarantine, npm run check -- --adopt-storage, or npm run check -- --forget-key-secret',
  async ({ config, words, flags }) => {
    const isOfLog = words[0] === 'log'
    if (words.length > (isOfLog ? 1 : 0) || (isOfLog && flags.size > 0)) return undefined
    // As the application role.
    await using database = await openForOperator({ ...config, databaseOwnerUrl: '' }, say)
    // If the disk is not mounted, a new folder in its place would hide that the storage is unavailable.
    const opened = () => openStorage(config, { make: false })
    if (flags.has('adopt-storage')) await adoptStorageForOperator(database, await opened(), say)
    if (flags.has('forget-key-secret')) await forgetKeySecretsForOperator(database, config, say)
    let storage: Promise<Storage> | undefined
    const open = () => (storage ??= opened())
    let isGood = true
    const findings = isOfLog ? checkLog({ config, database }) : check({ config, database, storage: open })
    for await (const found of findings) {
      say(`${found.isGood ? 'ok    ' : 'WRONG '} ${found.name.padEnd(8)} ${found.line}`)
      isGood &&= found.isGood
    }
    if (flags.has('quarantine'))
      for (const { key, since } of await listQuarantine(await open()))
        say(`${key.path}/${key.name}, since ${since.toISOString()}`)
    return isGood
  },
  ['quarantine', 'adopt-storage', 'forget-key-secret'],
)
