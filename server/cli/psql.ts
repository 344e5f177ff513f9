import { urlOf } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/running.ts'
import { withConnection } from '../db/one-connection.ts'
import { openForOperator } from '../operator/open.ts'
import { openShell, runSql } from '../operator/shell.ts'
import { say } from './environment.ts'
import { asOperator } from './operator.ts'

await asOperator('npm run psql, or npm run psql -- -c "select …"', async ({ config, words, command }) => {
  if (words.length > 0) return undefined
  const database = await openForOperator(config, say)
  try {
    await withConnection(database.pool, async (client) => {
      if (command !== undefined) return runSql(client, command, process.stdout)
      const running = config.databaseUrl === '' ? findRunning(config.dataDir) : undefined
      if (running) say(`Other programs reach it at ${urlOf(running)}`)
      return openShell(client, { input: process.stdin, output: process.stdout })
    })
    return true
  } finally {
    await database.close()
  }
})
