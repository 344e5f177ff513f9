import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressOfMaru, attach, filesOf, writeNotice } from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import { createOwnDatabase, type OwnDatabase } from '../../../dev/test-kit/own-database.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { newStorageKey } from '../storage.ts'
import { adoptStorage, getPairingState } from './pairing.ts'
import { SWEEP_RETENTION, type SweepRetention, sweepFiles } from './sweep.ts'

/* Files that the sweep takes, reports or leaves alone (design/uploads-and-files#rows-before-bytes). */
const maru = useMaru()
const AT_ONCE = { uploadHours: 0, discardedDays: 0, orphanHours: 0 }
let kim: TestUser
let second: OwnDatabase

beforeAll(async () => {
  kim = await maru.createUser()
  second = await createOwnDatabase()
  await second.database.pool.query('update installation set id = gen_random_uuid()')
  await addressOfMaru(maru)
})
afterAll(() => second.drop())

const place = (path: string) => join(maru.dataDir, 'files', path)
const sweep = (keep: Partial<SweepRetention> = AT_ONCE) =>
  sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, keep)
const linesOf = (part: string) => maru.log.filter(({ msg }) => msg.includes(part))

async function gauge(): Promise<string | undefined> {
  const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return /^maru_files_missing (\d+)$/m.exec(body)?.[1]
}

async function withFile(content = '내용') {
  const notice = await writeNotice(maru, kim)
  await attach(maru, kim, notice, '안내.txt', content)
  const [file] = await filesOf(maru, kim, notice)
  return { notice, file: file!, path: place(`${file!.storedPath}/${file!.storedName}`) }
}

/** A file of the storage's own form that no row names. */
async function stranger(hoursOld: number): Promise<string> {
  const key = newStorageKey(new Date())
  await mkdir(place(key.path), { recursive: true })
  const path = place(`${key.path}/${key.name}`)
  await writeFile(path, 'x')
  const then = new Date(Date.now() - hoursOld * 3_600_000)
  await utimes(path, then, then)
  return path
}

const keyOf = (path: string) => {
  const [year, month, name = ''] = path.split('/').slice(-3)
  return { path: `${year}/${month}`, name }
}

const letDays = (path: string, days: number) => {
  const then = new Date(Date.now() - days * 86_400_000)
  return utimes(path, then, then)
}

/** By reason, whether it stops the sweep, as /metrics says. */
async function stops(): Promise<Record<string, string>> {
  const { body } = await maru.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return Object.fromEntries(
    [...body.matchAll(/^maru_sweep_stopped\{reason="(\w+)"\} (\d)$/gm)].map(([, why, is]) => [why, is]),
  )
}

// Rows of a copied database about its files, by which it might be mistaken for the original.
const COPIED = {
  installation: 'id',
  storage_mark: 'marks, swept_at',
  discarded_files:
    'id, notice_id, save_path, save_file_name, original_name, size_bytes, created_at, discarded_at',
}

const isThere = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  )

beforeEach(async () => {
  await maru.database.pool.query('delete from notices')
  await sweep()
  await rm(place('.quarantine'), { recursive: true, force: true })
  maru.log.length = 0
})

describe('a row whose file is gone', () => {
  test('is marked, reported once and counted until the file is back; nothing is deleted', async () => {
    const { notice, file, path } = await withFile()
    expect([await gauge(), await sweep()]).toEqual(['0', { removed: 0, missing: 0 }])
    await rename(path, `${path}.away`)

    expect(await sweep()).toEqual({ removed: 0, missing: 1 })
    expect(await sweep()).toEqual({ removed: 0, missing: 1 })
    expect(linesOf('missing from the storage')).toMatchObject([
      { level: 50, fileId: file.fileId, noticeId: notice },
    ])
    expect(await gauge()).toBe('1')
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)

    await rename(`${path}.away`, path)
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await gauge()).toBe('0')
    expect(linesOf('missing from the storage')).toHaveLength(1)
  })
})

describe('a file that no notice names (rules/files#file-sweep)', () => {
  test('is removed 7 days after it was deleted, not before', async () => {
    const { notice, path } = await withFile()
    await maru.database.pool.query('delete from notices where id = $1', [notice])
    expect(await sweep(SWEEP_RETENTION)).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(true)
    await maru.database.pool.query(`update discarded_files set discarded_at = now() - interval '7 days'`)
    expect(await sweep(SWEEP_RETENTION)).toEqual({ removed: 1, missing: 0 })
    expect(await isThere(path)).toBe(false)
  })

  test('is quarantined after a day without a row, stays readable, and goes after 30 days (rules/files#quarantine)', async () => {
    const old = [await stranger(1_000), await stranger(25)]
    const young = await stranger(23)
    expect(await sweep(SWEEP_RETENTION)).toEqual({ removed: 0, missing: 0 })
    expect(await Promise.all([...old, young].map(isThere))).toEqual([false, false, true])
    expect(linesOf('orphaned files')).toMatchObject([{ level: 40, count: 2, example: expect.any(String) }])
    const aside = old.map((path) => path.replace('/files/', '/files/.quarantine/'))
    expect(await Promise.all(aside.map(isThere))).toEqual([true, true])
    expect(await maru.services.storage.sizeOf(keyOf(old[0]!))).toBe(1)

    // By its own clock: how old the file was does not count.
    await letDays(aside[0]!, 29.9)
    await letDays(aside[1]!, 30.1)
    expect(await sweep(SWEEP_RETENTION)).toEqual({ removed: 1, missing: 0 })
    expect(await Promise.all(aside.map(isThere))).toEqual([true, false])
  })

  test('comes back out of quarantine when a row names it again', async () => {
    const { notice, path } = await withFile()
    const { rows } = await maru.database.pool.query(
      'delete from notice_files where notice_id = $1 returning *',
      [notice],
    )
    await maru.database.pool.query('delete from discarded_files')
    await maru.database.pool.query('delete from uploads')
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(false)

    await maru.database.pool.query(
      `insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
        values ($1, $2, $3, $4, $5, $6)`,
      ['id', 'notice_id', 'save_path', 'save_file_name', 'original_name', 'size_bytes'].map(
        (of) => rows[0][of],
      ),
    )
    const storage = maru.services.storage
    const found = await storage.get(keyOf(path))
    expect(String(await buffer(found!.stream))).toBe('내용')
    expect(await sweep({ ...AT_ONCE, quarantineDays: 0 })).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(true)
  })

  test('stops the sweep where there are many of them, until an operator accepts them', async () => {
    const { path } = await withFile()
    await maru.database.pool.query('delete from notices')
    const many = await Promise.all(Array.from({ length: 11 }, () => stranger(100)))
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(linesOf('too many files')).toMatchObject([{ level: 50, why: 'mass', unnamed: 11 }])
    expect(await Promise.all([path, ...many].map(isThere))).toEqual(Array(12).fill(true))
    expect(await stops()).toEqual({ owner: '0', mark: '0', mass: '1' })

    await adoptStorage(maru.database.pool, maru.services.storage)
    expect(await sweep()).toEqual({ removed: 1, missing: 0 })
    expect(await Promise.all([path, ...many].map(isThere))).toEqual(Array(12).fill(false))
    expect(await stops()).toEqual({ owner: '0', mark: '0', mass: '0' })
  })

  test('keeps every file if the database is an older copy of itself', async () => {
    const { notice, path } = await withFile()
    const deleted = await withFile()
    await maru.database.pool.query('delete from notices where id = $1', [deleted.notice])
    await sweep(SWEEP_RETENTION)
    const copy = await createOwnDatabase()
    const { pool } = copy.database
    for (const [table, columns] of Object.entries(COPIED)) {
      const { rows } = await maru.database.pool.query(`select ${columns} from ${table}`)
      await pool.query(`delete from ${table}`)
      await pool.query(
        `insert into ${table} (${columns}) select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      )
    }
    expect(await getPairingState(maru.database.pool, maru.services.storage)).toBe('agrees')
    expect(await getPairingState(pool, maru.services.storage)).toBe('differs')
    const swept = await sweepFiles(pool, maru.services.storage, maru.app.log, AT_ONCE)
    expect(swept).toEqual({ removed: 0, missing: 0 })
    expect(linesOf('restored or copied')).toMatchObject([{ level: 50, why: 'mark' }])
    expect(await Promise.all([path, deleted.path].map(isThere))).toEqual([true, true])

    // After the storage is paired with the copy, the original is the one that no longer matches.
    await adoptStorage(pool, maru.services.storage)
    expect(await getPairingState(maru.database.pool, maru.services.storage)).toBe('differs')
    await copy.drop()
    await adoptStorage(maru.database.pool, maru.services.storage)

    await maru.database.pool.query('delete from notices where id = $1', [notice])
    await maru.database.pool.query('delete from discarded_files')
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await maru.services.storage.sizeOf(keyOf(path))).not.toBeNull()
  })

  test('stays when Maru did not name it', async () => {
    await mkdir(place('2026/11'), { recursive: true })
    const others = [place('2026/11/notes.txt'), place('readme')]
    for (const path of others) {
      await writeFile(path, 'x')
      await utimes(path, new Date(0), new Date(0))
    }
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await Promise.all(others.map(isThere))).toEqual([true, true])
  })

  test('stays, however old, while somebody writes to its upload', async () => {
    const notice = await writeNotice(maru, kim)
    const { rows } = await maru.database.pool.query(
      `insert into uploads (id, user_id, notice_id, original_name, save_path, save_file_name, touched_at, held_by, held_until)
       values ($1, $2, $3, 'a', '2026/11', $1::uuid::text, now() - interval '3 days', $1, now() + interval '5 seconds')
       returning id`,
      [randomUUID(), kim.id, notice],
    )
    await writeFile(place(`.incoming/${rows[0].id}`), 'half')
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(place(`.incoming/${rows[0].id}`))).toBe(true)
    await maru.database.pool.query(`update uploads set held_until = now() - interval '1 second'`)
    expect(await sweep()).toEqual({ removed: 1, missing: 0 })
    expect(await readdir(place('.incoming'))).toEqual([])
  })
})

describe('the owner of a storage (rules/files#storage-owner)', () => {
  test('is the first database: a second one sweeps and marks nothing, and says so', async () => {
    const { path } = await withFile()
    const unknown = await stranger(1_000)
    const swept = await sweepFiles(second.database.pool, maru.services.storage, maru.app.log, AT_ONCE)
    expect(swept).toBeUndefined()
    expect([await isThere(path), await isThere(unknown)]).toEqual([true, true])
    expect(linesOf('of another database')).toHaveLength(1)
    // The files of the first database still belong to it.
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(true)
  })

  test('sweeps on one server at a time', async () => {
    const client = await maru.database.pool.connect()
    try {
      await client.query('select pg_advisory_lock(7120416)')
      expect(await sweep()).toBeUndefined()
    } finally {
      await client.query('select pg_advisory_unlock(7120416)')
      client.release()
    }
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
  })
})
