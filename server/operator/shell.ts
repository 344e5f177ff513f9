import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import pg from 'pg'
import { StartRefusal } from '../start-refusal.ts'

/** Input and output of a shell. */
export interface Terminal {
  input: Readable & { isTTY?: boolean }
  output: Writable
}

// Value in PostgreSQL's text format.
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }

/**
 * Runs statements and prints their results.
 * @param text one statement or several
 * @throws {StartRefusal} with the database's error
 */
export async function runSql(client: pg.ClientBase, text: string, output: Writable): Promise<void> {
  const answers = (await client.query({ text, rowMode: 'array', types: AS_TEXT }).catch((error: unknown) => {
    throw error instanceof pg.DatabaseError ? new StartRefusal(`ERROR: ${error.message}`) : error
  })) as pg.QueryArrayResult | pg.QueryArrayResult[]
  for (const answer of [answers].flat()) output.write(`${printed(answer)}\n`)
}

/**
 * Opens an SQL shell on the database. A statement ends with `;` and may have several lines. `\q` or Ctrl+D ends the shell. If a
 * statement fails, the shell prints the error and reads the next one.
 */
export async function openShell(client: pg.ClientBase, { input, output }: Terminal): Promise<void> {
  const isTyped = input.isTTY === true
  const lines = createInterface({ input, output, terminal: isTyped, prompt: 'maru=> ' })
  let asked = ''
  const prompt = () => {
    lines.setPrompt(asked === '' ? 'maru=> ' : 'maru-> ')
    if (isTyped) lines.prompt()
  }
  prompt()
  for await (const line of lines) {
    if (line.trim() === String.raw`\q`) break
    asked += `${line}\n`
    if (/;\s*$/.test(asked)) {
      await runSql(client, asked, output).catch((error: unknown) =>
        output.write(`${error instanceof Error ? error.message : String(error)}\n`),
      )
      asked = ''
    } else if (asked.trim() === '') asked = ''
    prompt()
  }
  lines.close()
}

/** Formats a result like psql: columns as wide as their contents, and the number of rows. */
function printed({ command, fields, rows, rowCount }: pg.QueryArrayResult): string {
  if (fields.length === 0) return rowCount === null ? command : `${command} ${rowCount}`
  const table = [fields.map(({ name }) => name), ...rows.map((row) => row.map(cell))]
  const widths = fields.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
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

const cell = (value: unknown) => (typeof value === 'string' ? value : '')
