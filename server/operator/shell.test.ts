import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { urlOf } from '../../dev/test-kit/database.ts'
import { createOwnDatabase } from '../../dev/test-kit/own-database.ts'
import { withConnection } from '../db/one-connection.ts'
import { StartRefusal } from '../startup-error.ts'
import { runSql } from './shell.ts'

const own = await createOwnDatabase()
const url = urlOf(own.owner.options)
const folder = mkdtempSync(join(tmpdir(), 'maru-shell-'))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await own.drop()
})

/** Runs the command with this input on a `psql` that prints how it was called, and exits with a status. */
function runShell(database: string, status = 0, words: string[] = []) {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const psql = `#!/bin/sh\necho "$@" "$PGPASSWORD" "$PGAPPNAME"; cat; exit ${status}\n`
  writeFileSync(join(bin, 'psql'), psql, { mode: 0o755 })
  return run(database, [bin, process.env['PATH']].join(delimiter), words)
}

function run(database: string, path: string, words: string[] = []) {
  const file = join(import.meta.dirname, '../cli/psql.ts')
  const env = { PATH: path, DATABASE_URL: database, DATA_DIR: folder }
  const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...words], {
    cwd: folder,
    env,
    input: 'select 1',
    encoding: 'utf8',
  })
  return { stdout, stderr, status }
}

describe('the shell on the database (rules/running#shell)', () => {
  test('runs psql with the input, without a password on the command line', () => {
    const given = new URL(url)
    given.password = 's3cret'
    expect(runShell(given.href)).toEqual({
      stdout: `--set=ON_ERROR_STOP=1 --no-psqlrc ${url} s3cret maru-operator\nselect 1`,
      stderr: '',
      status: 0,
    })
    expect(runShell(url, 3).status).toBe(1)
  })

  test('names the package if psql is not installed', () => {
    const { stderr, status } = run(url, folder)
    expect(stderr).toMatch(
      /^psql is not installed\. Install it \(on Debian: apt-get install postgresql-client\)/,
    )
    expect(status).toBe(1)
  })

  test('leaves commands such as \\d to psql, and names the package without it', () => {
    const words = ['-c', '\\d users']
    expect(runShell(url, 0, words).stdout).toContain(String.raw`--no-psqlrc --command \d users ${url}`)
    expect(run(url, folder, words).stderr).toMatch(/^psql is not installed\. Install it/)
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

  test('prints more rows than a call takes arguments', async () => {
    const output = new PassThrough()
    const said = text(output)
    const statement = 'select n from generate_series(1, 150000) n'
    await withConnection(own.database.pool, (client) => runSql(client, statement, output))
    output.end()
    expect(await said).toMatch(/\n150000\n\(150000 rows\)\n$/)
  })
})
