import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { onDatabase, onServer, urlOf } from '../../dev/test-kit/database.ts'
import { type Bouncer, startPgBouncer } from '../../dev/test-kit/cluster/pgbouncer.ts'
import { startProgram } from '../../dev/test-kit/program.ts'
import { migrate, migrations } from './migrate.ts'
import { withAdvisoryLock } from './one-connection.ts'
import { NO_TIME_LIMIT, openDatabase, type OpenDatabase } from './open.ts'

/* Behind a real PgBouncer in transaction mode (rules/running#pooler, design/several-copies#connection-pooler). */

let name: string
let bouncer: Bouncer
let opened: OpenDatabase[]

beforeEach(async () => {
  opened = []
  name = `maru_test_${randomUUID().replaceAll('-', '')}`
  await onServer(inject('server'), `create database ${name} encoding 'UTF8' template template0`)
  bouncer = await startPgBouncer(inject('server'), 4)
})

afterEach(async () => {
  for (const database of opened) await database.close()
  await bouncer.stop()
  await onServer(inject('server'), `drop database ${name} with (force)`)
})

const direct = () => onDatabase(inject('server'), name)
const behind = () => ({ ...direct(), ...bouncer.connection })

async function open(more = {}): Promise<OpenDatabase> {
  const database = await openDatabase({ ...behind(), ...more }, () => {})
  opened.push(database)
  return database
}

test('reports missing database settings once at a start, and nothing with them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maru-pooler-'))
  // The application role has a PgBouncer pool of its own (rules/running#database-role).
  const serving = await startPgBouncer(inject('serving'), 4)
  const start = () =>
    startProgram(folder, {
      DATA_DIR: folder,
      DATABASE_URL: urlOf({ ...onDatabase(inject('serving'), name), ...serving.connection }),
      DATABASE_OWNER_URL: urlOf(behind()),
    })
  const first = start()
  await first.url
  const said = first.text().split('\n')
  const [line = ''] = said.filter((each) => each.startsWith('WARNING: DATABASE_URL leads through a pooler'))
  const statements = line.match(/ALTER ROLE [^;]+/g) ?? []
  expect(statements).toHaveLength(2)
  first.process.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  for (const statement of statements) await onServer(direct(), statement)
  await serving.reconnect()
  const second = start()
  await second.url
  expect(second.text()).not.toContain('WARNING: DATABASE_URL')
  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  for (const statement of statements) await onServer(direct(), statement.replace(/ SET .*/, ' RESET ALL'))
  await serving.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('servers that start at once migrate once, however long it takes', async () => {
  await onServer(inject('server'), `alter database ${name} set statement_timeout = 300`)
  const databases = await Promise.all(Array.from({ length: 4 }, () => open(NO_TIME_LIMIT)))
  const applied = await Promise.all(databases.map(({ db }) => migrate(db)))
  expect(applied.flat()).toEqual(migrations.map((migration) => migration.name))
})

test('leaves no setting, prepared statement or lock behind in a pooled session', async () => {
  const { pool, db, longReads } = await open()
  const named = { name: 'asked-often', text: 'select $1::int as n', values: [1] }
  await Promise.all(Array.from({ length: 12 }, () => pool.query(named)))
  const snapshot = await longReads.begin()
  const { rows } = await sql`show statement_timeout`.execute(snapshot.tx)
  expect(rows).toEqual([{ statementTimeout: '0' }])
  await snapshot.end()
  await withAdvisoryLock(pool, 1, async (assertLockHeld) => {
    await assertLockHeld()
    expect(await withAdvisoryLock(pool, 1, () => Promise.resolve('both'))).toBeUndefined()
  })
  // All of its sessions at once, each in a transaction of its own.
  const left = await Promise.all(
    Array.from({ length: 4 }, () =>
      db.transaction().execute(async (tx) => {
        const answer = await sql<
          Record<string, unknown>
        >`select current_setting('statement_timeout') as limit,
          (select count(*)::int from pg_prepared_statements) as prepared,
          (select count(*)::int from pg_locks where locktype = 'advisory' and database =
            (select oid from pg_database where datname = current_database())) as locks,
          (select setting = reset_val from pg_settings where name = 'jit') as jit_as_it_was,
          pg_sleep(0.2)::text as slept`.execute(tx)
        return answer.rows[0]
      }),
    ),
  )
  for (const session of left)
    expect(session).toMatchObject({ limit: '0', prepared: 0, locks: 0, jitAsItWas: true })
})
