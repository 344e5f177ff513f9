import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginUpload, finishUpload } from '../../contract/notices.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import type { OpenDatabase } from '../db/open.ts'
import { dropUpload } from '../domains/notices/upload-queries.ts'
import { readKeySecret } from '../services/key-secret.ts'
import { sweepFiles } from '../services/storage/sweep.ts'
import { koreanDay } from '../../dev/test-kit/days.ts'
import { createEmptyDatabase } from '../../dev/test-kit/empty-database.ts'
import { addressOfMaru, attach, filesOf, sendByTus, writeNotice } from '../../dev/test-kit/files.ts'
import { useMaru } from '../../dev/test-kit/maru.ts'
import type { TestUser } from '../../dev/test-kit/people.ts'
import { adoptStorageForOperator } from './decisions.ts'
import { backUp } from './backup.ts'
import { check } from './check.ts'
import { openBackup, restore } from './restore.ts'

/* A database that was restored or copied beside a storage that went on (rules/files#storage-mark). */
const maru = useMaru()
const silent = () => {}
const AT_ONCE = { uploadHours: 0, discardedDays: 0, orphanHours: 0 }

let root: string
let copy: OpenDatabase
let kim: TestUser

beforeAll(async () => {
  kim = await maru.createUser()
})
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'maru-test-copies-'))
  copy = await createEmptyDatabase()
})
afterEach(async () => {
  await copy.close()
  rmSync(root, { recursive: true, force: true })
})

async function sweep(database: OpenDatabase) {
  // The operator's pool has one connection, and a server's several.
  const pool = new pg.Pool({ ...database.pool.options, max: 4 })
  try {
    return await sweepFiles(pool, maru.services.storage, maru.app.log, AT_ONCE)
  } finally {
    await pool.end()
  }
}

/** Does the same as `npm run backup` and `npm run restore`, onto the same storage. */
async function backUpAndRestore(between: () => Promise<void>): Promise<string[]> {
  const said: string[] = []
  const config = readConfig({ DATA_DIR: maru.dataDir })
  const { storage } = maru.services
  const folder = join(root, 'backup')
  const keySecret = readKeySecret(config)
  const { dataDir } = maru
  const { pool } = maru.database
  await backUp({ pool, storage, keySecret, dataDir, folder, recipients: [], say: silent })
  await between()
  const backup = await openBackup(folder, '')
  await restore({ config, database: copy, storage, backup, say: (line) => said.push(line) })
  await migrate(copy.db)
  return said
}

async function attached(content: string) {
  const noticeId = await writeNotice(maru, kim)
  await attach(maru, kim, noticeId, '회의록.txt', content)
  const [file] = await filesOf(maru, kim, noticeId)
  return { noticeId, key: { path: file!.storedPath, name: file!.storedName } }
}

async function contentOf(key: { path: string; name: string }): Promise<string | undefined> {
  const found = await maru.services.storage.get(key)
  return found === null ? undefined : String(await buffer(found.stream))
}

async function lineOf(name: string, database: OpenDatabase): Promise<string> {
  const config = readConfig({ DATA_DIR: maru.dataDir })
  for await (const found of check({ config, database, storage: async () => maru.services.storage }))
    if (found.name === name) return `${found.isGood ? 'ok' : 'WRONG'}: ${found.line}`
  return ''
}

test('keeps newer files than an older backup, asks, and then quarantines them', async () => {
  const old = await attached('old')
  await sweep(maru.database)
  let newer!: Awaited<ReturnType<typeof attached>>
  const said = await backUpAndRestore(async () => {
    newer = await attached('newer')
  })
  expect(said).toContainEqual(expect.stringContaining('newer files than the backup'))
  expect(await sweep(copy)).toEqual({ removed: 0, missing: 0 })
  expect(await lineOf('sweep', copy)).toMatch(/^WRONG: .* restored or copied.* --adopt-storage\.$/)
  expect([await contentOf(old.key), await contentOf(newer.key)]).toEqual(['old', 'newer'])

  await adoptStorageForOperator(copy, maru.services.storage, silent)
  await copy.pool.query(`update storage_mark set swept_at = null`)
  expect(await sweep(copy)).toEqual({ removed: 0, missing: 0 })
  expect(await lineOf('sweep', copy)).toMatch(/^ok: database and storage know each other/)
  const goes = koreanDay(maru.services.config.scan.quarantineDays)
  expect(await lineOf('aside', copy)).toContain(
    `ok: 1 files without a row are in quarantine, the first goes on ${goes} `,
  )
  // A database that references the file after all, as a newer backup does, gets it back.
  expect(await contentOf(newer.key)).toBe('newer')
  await adoptStorageForOperator(maru.database, maru.services.storage, silent)
  expect(await sweep(maru.database)).toEqual({ removed: 0, missing: 0 })
  expect(await lineOf('aside', maru.database)).toMatch(/^ok: nothing without a row/)
})

test('removes nothing when a copy of a portal in use runs on its storage', async () => {
  const kept = await attached('kept')
  const upload = await maru.call(
    beginUpload,
    { noticeId: await writeNotice(maru, kim), fileName: 'a.txt', fileSize: 5, replacesFileId: '' },
    kim,
  )
  await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)
  await backUpAndRestore(async () => {})
  // Copies what pg_dump includes: the pairing mark and pending uploads.
  for (const table of ['storage_mark', 'uploads']) {
    const { rows } = await maru.database.pool.query<{ all: string }>(
      `select coalesce(jsonb_agg(t), '[]') as all from ${table} t`,
    )
    await copy.pool.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)
      on conflict do nothing`,
      [JSON.stringify(rows[0]?.all)],
    )
  }
  // The original goes on, and the copy gives up and deletes what is the original's.
  const { uploadId } = upload.data
  await sendByTus(await addressOfMaru(maru), kim, uploadId, Buffer.from('later'))
  expect((await maru.call(finishUpload, { uploadId }, kim)).status).toBe(200)
  await dropUpload(copy.db, maru.services.storage, { id: uploadId, userId: kim.id })
  await copy.pool.query('delete from notice_files')
  expect(await sweep(copy)).toEqual({ removed: 0, missing: 0 })
  await copy.pool.query(`update storage_mark set swept_at = null`)
  expect(await sweep(copy)).toEqual({ removed: 0, missing: 0 })

  const { rows } = await maru.database.pool.query<{ path: string; name: string }>(
    'select save_path as path, save_file_name as name from uploads where id = $1',
    [uploadId],
  )
  expect([await contentOf(kept.key), await contentOf(rows[0]!)]).toEqual(['kept', 'later'])
  expect(await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)).toMatchObject({
    missing: 0,
  })
  expect(await lineOf('sweep', maru.database)).toMatch(/^ok/)
})
