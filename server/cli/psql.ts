import { urlOf } from '../db/embedded.ts'
import { findRunning } from '../db/embedded/find-running.ts'
import { withConnection } from '../db/one-connection.ts'
import { openForOperator } from '../operator/open.ts'
import { openShell, runSql } from '../operator/shell.ts'
import { say } from './environment.ts'
import { runOperatorCommand } from './operator.ts'

// `npm run psql`: opens psql on the database as its owner. With `-c` it runs statements without psql, and commands of psql with it.
await runOperatorCommand(
  'npm run psql, or npm run psql -- -c "select …"',
  async ({ config, words, command }) => {
    if (words.length > 0) return undefined
    const isTyped = process.stdin.isTTY && command === undefined
    await using database = await openForOperator(config, isTyped ? say : () => {})
    // Commands such as \d are those of psql itself.
    const isPsql = command?.trimStart().startsWith('\\') === true
    if (command !== undefined && !isPsql) {
      await withConnection(database.pool, (client) => runSql(client, command, process.stdout))
      return true
    }
    const running = config.databaseUrl === '' ? findRunning(config.dataDir) : undefined
    const url = running ? urlOf(running) : config.databaseOwnerUrl || config.databaseUrl
    if (running && isTyped) say(`Other programs reach it at ${url}`)
    return (await openShell(url, command)) === 0
  },
)
