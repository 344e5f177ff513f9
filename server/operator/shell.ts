import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { hasCode } from '../caught-errors.ts'
import { StartRefusal } from '../startup-error.ts'

/** Types of pg that return each value in PostgreSQL's text format. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/**
 * Runs statements and prints their results as psql does.
 * @param text one statement or several
 * @throws {StartRefusal} with the database's error
 */
export async function runSql(client: pg.ClientBase, text: string, output: Writable): Promise<void> {
  const answers = (await client.query({ text, rowMode: 'array', types: AS_TEXT }).catch((error: unknown) => {
    throw error instanceof pg.DatabaseError ? new StartRefusal(`ERROR: ${error.message}`) : error
  })) as pg.QueryArrayResult | pg.QueryArrayResult[]
  for (const answer of [answers].flat()) output.write(`${formatResult(answer)}\n`)
}

/** Signal handler that does nothing. Ctrl+C cancels a statement of psql, which receives it from the terminal, too. */
const ignore = () => {}

/**
 * Runs the psql of the system, or of PATH, on a database. If its input is not a terminal, the first error ends it.
 * @param url connection; the password is not on the command line, where other users could read it
 * @param command a command of psql to run instead, such as `\\d users`
 * @returns its exit status
 * @throws {StartRefusal} if psql is not installed
 */
export async function openShell(
  url: string,
  command?: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const target = new URL(url)
  const password = decodeURIComponent(target.password)
  target.password = ''
  // A parameter of the driver for Node.js, which psql refuses.
  target.searchParams.delete('uselibpqcompat')
  const stop = process.stdin.isTTY ? [] : ['--set=ON_ERROR_STOP=1']
  const words = command === undefined ? [] : ['--command', command]
  const shell = spawn('psql', [...stop, '--no-psqlrc', ...words, target.href], {
    stdio: 'inherit',
    env: { ...env, PGAPPNAME: 'maru-operator', ...(password !== '' && { PGPASSWORD: password }) },
  })
  process.on('SIGINT', ignore)
  try {
    const [code] = (await once(shell, 'exit')) as [number | null]
    return code ?? 1
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    throw new StartRefusal(
      'psql is not installed. Install it (on Debian: apt-get install postgresql-client), or run single statements: npm run psql -- -c "select …"',
      { cause: error },
    )
  } finally {
    process.off('SIGINT', ignore)
  }
}

/**
 * Formats a result like psql: columns as wide as their contents, and the number of rows; for a result without columns the
 * command.
 */
function formatResult({ command, fields, rows, rowCount }: pg.QueryArrayResult): string {
  if (fields.length === 0) return rowCount === null ? command : `${command} ${rowCount}`
  const table = [fields.map(({ name }) => name), ...rows.map((row) => row.map(cell))]
  const widths = fields.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  )
  const lines = table.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  )
  const [head = '', ...body] = lines
  return [
    head,
    widths.map((width) => '-'.repeat(width)).join('-+-'),
    ...body,
    `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
  ].join('\n')
}

/** Returns the text of a value; '' for null. */
const cell = (value: unknown) => (typeof value === 'string' ? value : '')
