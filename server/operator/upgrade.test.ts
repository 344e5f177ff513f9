import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../contract/account.ts'
import { issueKey } from '../../contract/keys.ts'
import { getNotice, listComments, listNotices } from '../../contract/notices.ts'
import { readConfig } from '../config.ts'
import { openStorage } from '../create-services.ts'
import { DEMO_PASSWORD } from '../../dev/demo/accounts.ts'
import { migrate } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open.ts'
import { urlOf } from '../../dev/test-kit/database.ts'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { portalAt } from '../../dev/test-kit/portal.ts'
import { type Program, startProgram } from '../../dev/test-kit/program.ts'
import { openBackup, restore } from './restore.ts'
import { listTables } from './tables.ts'

/*
 * Upgrades a backup of each release's demo, in which users then worked, to this version. See CONTRIBUTING.md for how to
 * add a release.
 */
const RELEASES = join(import.meta.dirname, 'releases')
const TIMEOUT_MS = 120_000

/** Columns whose values a release changed on purpose, and why it did. */
const CHANGED: Readonly<Record<string, readonly string[]>> = {
  // The name of who commented is read with the notification; digests of erased IDs are keyed (design/erasure#ids-of-erased-accounts).
  notifications: ['detail'],
  login_ids: ['login_id'],
  // The details have one spelling and the IDs of listed users (design/audit-log#details-of-a-row).
  audit_log: ['detail', 'records'],
}

/** Tables of counts that a release removed or changed. Their rows follow from other tables (design/keys#counts-of-keys). */
const COUNTS = new Set(['key_days', 'key_totals', 'notice_counts'])

/** Tables to which a release added rows: permissions that were parts of others (rules/roles#functions). */
const GROWN = new Set(['functions', 'role_functions'])

let dataDir: string
let database: OpenDatabase
let program: Program | undefined

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'maru-test-upgrade-'))
  database = await createEmptyDatabase()
})

afterEach(async () => {
  program?.process.kill('SIGKILL')
  await program?.ended
  program = undefined
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Row = Record<string, unknown>

/** Every row of every table. */
async function rowsOf({ pool }: OpenDatabase): Promise<Map<string, Row[]>> {
  const client = await pool.connect()
  try {
    const rows = new Map<string, Row[]>()
    for (const { name } of await listTables(client)) {
      const found = await client.query<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)
      rows.set(
        name,
        found.rows.map(({ row }) => row),
      )
    }
    return rows
  } finally {
    client.release()
  }
}

/** The values of these columns, row by row, in an order of their own. */
const only = (rows: readonly Row[], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted()

describe.each(readdirSync(RELEASES))('data of %s (rules/running#upgrade)', (release) => {
  const bringBack = async () => {
    const config = readConfig({ DATA_DIR: dataDir })
    const storage = await openStorage(config)
    const backup = await openBackup(join(RELEASES, release), '')
    return restore({ config, database, storage, backup, say: () => {} })
  }

  test('loses no row and no value by its upgrade', { timeout: TIMEOUT_MS }, async () => {
    const { missing } = await bringBack()
    expect(missing).toEqual([])
    const before = await rowsOf(database)
    await migrate(database.db)
    const after = await rowsOf(database)
    // It is worth something: most tables have rows.
    expect([...before.values()].filter((rows) => rows.length > 0).length).toBeGreaterThan(before.size / 2)
    for (const [table, rows] of before) {
      if (COUNTS.has(table)) continue
      const now = after.get(table) ?? []
      const changed = CHANGED[table] ?? []
      const columns = Object.keys(rows[0] ?? {}).filter((column) => !changed.includes(column))
      if (table === 'migrations') expect(now.length).toBeGreaterThanOrEqual(rows.length)
      else if (GROWN.has(table))
        expect(only(now, columns)).toEqual(expect.arrayContaining(only(rows, columns)))
      else expect(only(now, columns), table).toEqual(only(rows, columns))
    }
  })

  test('is worked with after it', { timeout: TIMEOUT_MS }, async () => {
    await bringBack()
    // The validity periods of the demo expire, and this test would fail then.
    await database.pool.query(`update users set valid_to = '2099-12-31' where login_id in ('admin', 'user')`)
    await database.pool.query(`update partners set valid_to = '2099-12-31'`)
    program = startProgram(dataDir, {
      DATA_DIR: dataDir,
      DATABASE_URL: urlOf(database.pool.options),
      LOG_LEVEL: 'error',
    })
    const port = Number(new URL(await program.url).port)
    const logIn = async (loginId: string) => {
      const { sessionUid } = await portalAt(port, '').call(login, { loginId, password: DEMO_PASSWORD })
      return portalAt(port, sessionUid)
    }
    const admin = await logIn('admin')
    const { notices } = await admin.call(listNotices, { title: '이전 버전의 공지' })
    const noticeId = notices[0]?.noticeId ?? ''
    expect(await admin.call(getNotice, { noticeId })).toMatchObject({
      memo: '**굵게**',
      memoFormat: 'markdown',
    })
    const noticeOf = async (table: string) =>
      (await database.pool.query<{ id: string }>(`select notice_id::text as id from ${table} limit 1`))
        .rows[0]?.id ?? ''
    expect(await admin.receive(await noticeOf('notice_files where notice_id is not null'))).toBeGreaterThan(0)
    expect(program.text()).not.toContain('"level":50')

    const user = await logIn('user')
    const { comments } = await user.call(listComments, { noticeId: await noticeOf('notice_comments') })
    expect(comments.map(({ text }) => text)).toEqual(['이전 버전에서 남긴 댓글'])
    // The same key as then: its secret, its counts and its limits came along.
    const { issuedKey } = await user.call(issueKey, { requestKey: 'FROM-0.1.0-B' })
    expect(issuedKey).toBe('MARU1.3002.xYNvnx57nLechuUXYBYiR897IweEPyTyLE7NgEBux4A')
  })
})
