import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { withConnection } from '../db/one-connection.ts'
import { StartRefusal } from '../start-refusal.ts'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'
import { openShell, runSql } from './shell.ts'

const own = await createOwnDatabase()
afterAll(() => own.drop())

async function typed(...lines: string[]): Promise<string> {
  const output = new PassThrough()
  const said = text(output)
  await withConnection(own.database.pool, (client) =>
    openShell(client, { input: Readable.from(lines.map((line) => `${line}\n`)), output }),
  )
  output.end()
  return said
}

describe('the shell on the database (rules/running#shell)', () => {
  test('takes statements over several lines, and shows values as PostgreSQL writes them', async () => {
    expect(await typed('select 1 as one,', `  null as nothing, date '2026-11-22' as day;`)).toBe(
      'one | nothing | day\n----+---------+-----------\n1   |         | 2026-11-22\n(1 row)\n',
    )
  })

  test(String.raw`tells what fails, goes on with the next, and ends with \q`, async () => {
    const said = await typed(
      'select nonsense;',
      'update roles set code = code where false;',
      String.raw`\q`,
      'select 1;',
    )
    expect(said).toBe('ERROR: column "nonsense" does not exist\nUPDATE 0\n')
  })

  test('answers several statements at once, and fails where one fails', async () => {
    const output = new PassThrough()
    const said = text(output)
    const { pool } = own.database
    await withConnection(pool, (client) => runSql(client, 'select 1 as a; select 2 as b', output))
    await expect(
      withConnection(pool, (client) => runSql(client, 'select 1; nonsense', output)),
    ).rejects.toThrow(new StartRefusal('ERROR: syntax error at or near "nonsense"'))
    output.end()
    expect(await said).toBe('a\n-\n1\n(1 row)\nb\n-\n2\n(1 row)\n')
  })
})
