import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addressOfMaru, attach, filesOf, writeNotice } from '../../test-kit/files.ts'
import { useMaru } from '../../test-kit/maru.ts'
import { createOwnDatabase, type OwnDatabase } from '../../test-kit/own-database.ts'
import type { TestUser } from '../../test-kit/people.ts'
import { newStorageKey } from '../storage.ts'
import { KEEP_FOR, sweepFiles } from './sweep.ts'

/* What the sweep takes, what it reports, and what it leaves alone (ADR 015). */
const maru = useMaru()
const AT_ONCE = { uploadHours: 0, discardedDays: 0, unknownHours: 0 }
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
const sweep = (keep = AT_ONCE) => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, keep)
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

const isThere = (path: string) =>
  readFile(path).then(
    () => true,
    () => false,
  )

beforeEach(async () => {
  await maru.database.pool.query('delete from notices')
  await sweep()
  maru.log.length = 0
})

describe('a row whose file is gone', () => {
  test('is marked, reported once and counted by maru_files_missing until the file is back, and nothing is deleted', async () => {
    const { notice, file, path } = await withFile()
    expect([await gauge(), await sweep()]).toEqual(['0', { removed: 0, missing: 0 }])
    await rename(path, `${path}.away`)

    expect(await sweep()).toEqual({ removed: 0, missing: 1 })
    expect(await sweep()).toEqual({ removed: 0, missing: 1 })
    expect(linesOf('gone from the storage')).toMatchObject([
      { level: 50, fileId: file.fileId, noticeId: notice },
    ])
    expect(await gauge()).toBe('1')
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)

    await rename(`${path}.away`, path)
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await gauge()).toBe('0')
    expect(linesOf('gone from the storage')).toHaveLength(1)
  })
})

describe('a file that no notice names (rules/files#file-sweep)', () => {
  test('is removed 7 days after it was deleted, not before', async () => {
    const { notice, path } = await withFile()
    await maru.database.pool.query('delete from notices where id = $1', [notice])
    expect(await sweep(KEEP_FOR)).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(true)
    await maru.database.pool.query(`update discarded_files set discarded_at = now() - interval '7 days'`)
    expect(await sweep(KEEP_FOR)).toEqual({ removed: 1, missing: 0 })
    expect(await isThere(path)).toBe(false)
  })

  test('stays when no row names it either, which is logged once with the count and an example', async () => {
    const old = [await stranger(1_000), await stranger(25)]
    const young = await stranger(23)
    // Said once of each storage: this one is not known yet.
    const storage = { ...maru.services.storage }
    for (let i = 0; i < 3; i += 1) {
      const swept = await sweepFiles(maru.database.pool, storage, maru.app.log, KEEP_FOR)
      expect(swept).toEqual({ removed: 0, missing: 0 })
    }
    expect(await Promise.all([...old, young].map(isThere))).toEqual([true, true, true])
    const lines = linesOf('no row names')
    expect(lines).toMatchObject([{ level: 40, count: 2, example: expect.any(String) }])
    expect(old).toContain(place(String(lines[0]?.['example'])))
  })

  test('stays when the database is an older copy of itself', async () => {
    const { notice, path } = await withFile()
    const copy = await createOwnDatabase()
    const { rows } = await maru.database.pool.query('select id from installation')
    await copy.database.pool.query('update installation set id = $1', [rows[0].id])
    const swept = await sweepFiles(copy.database.pool, maru.services.storage, maru.app.log, AT_ONCE)
    expect(swept).toEqual({ removed: 0, missing: 0 })
    await copy.drop()

    await maru.database.pool.query('delete from notices where id = $1', [notice])
    await maru.database.pool.query('delete from discarded_files')
    expect(await sweep()).toEqual({ removed: 0, missing: 0 })
    expect(await isThere(path)).toBe(true)
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
    // The first one's are its own still.
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
