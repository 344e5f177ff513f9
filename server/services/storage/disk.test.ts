import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newStorageKey, putFile, type Storage } from '../storage.ts'
import { openDiskStorage } from './disk.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const TEXT = Buffer.from('첨부 파일입니다. '.repeat(50_000))

let root: string
let storage: Storage

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'maru-files-'))
  storage = await openDiskStorage(join(root, 'files'))
})

afterEach(async () => {
  await rm(root, { recursive: true, force: true })
})

/** Returns the file's size that the storage reports. */
async function sizeOf(...question: Parameters<Storage['get']>): Promise<number | undefined> {
  const file = await storage.get(...question)
  file?.stream.destroy()
  return file?.size
}

/** Every file below the storage's folder. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function read(...question: Parameters<Storage['get']>): Promise<Buffer | null> {
  const file = await storage.get(...question)
  return file === null ? null : buffer(file.stream)
}

async function* broken(): AsyncGenerator<Buffer> {
  yield TEXT
  throw new Error('connection reset')
}

test('returns a file with its size and allows removing it more than once', async () => {
  const key = newStorageKey(NOW)
  expect(key.path).toBe('2026/11')
  await expect(putFile(storage, key, Readable.from([TEXT]))).resolves.toEqual({ size: TEXT.length })
  expect(await sizeOf(key)).toBe(TEXT.length)
  expect((await read(key))?.equals(TEXT)).toBe(true)
  const { mode } = await stat(join(root, 'files', key.path, key.name))
  expect(mode & 0o077).toBe(0)
  await storage.remove(key)
  await storage.remove(key)
  expect(await storage.get(key)).toBeNull()
  expect(await filesBelow(root)).toEqual([])
})

test('stores the stream of a file, even an empty one', async () => {
  const source = join(root, 'source')
  await writeFile(source, TEXT)
  const key = newStorageKey(NOW)
  await expect(putFile(storage, key, createReadStream(source))).resolves.toEqual({ size: TEXT.length })
  expect((await read(key))?.equals(TEXT)).toBe(true)
  const empty = newStorageKey(NOW)
  await expect(putFile(storage, empty, Readable.from([]))).resolves.toEqual({ size: 0 })
  expect(await read(empty)).toHaveLength(0)
})

test('returns a range, and refuses one outside the file', async () => {
  const key = newStorageKey(NOW)
  await putFile(storage, key, Readable.from([Buffer.from('0123456789')]))
  expect(await sizeOf(key, { start: 2, end: 4 })).toBe(10)
  expect(String(await read(key, { start: 2, end: 4 }))).toBe('234')
  expect(String(await read(key, { start: 9, end: 9 }))).toBe('9')
  for (const range of [
    { start: 5, end: 10 },
    { start: 4, end: 3 },
    { start: -1, end: 3 },
    { start: Number.NaN, end: 3 },
  ]) {
    await expect(storage.get(key, range)).rejects.toThrow(RangeError)
  }
})

describe('nothing is left behind', () => {
  test('leaves nothing when the stream breaks', async () => {
    const key = newStorageKey(NOW)
    await expect(putFile(storage, key, broken())).rejects.toThrow('connection reset')
    expect(await filesBelow(root)).toEqual([])
    expect(await storage.get(key)).toBeNull()
  })

  test('leaves nothing when the stream is destroyed half-way', async () => {
    const source = new Readable({ read() {} })
    const key = newStorageKey(NOW)
    const put = putFile(storage, key, source)
    source.push(TEXT)
    await expect.poll(() => filesBelow(root)).toHaveLength(1)
    source.destroy()
    await expect(put).rejects.toThrow('Premature close')
    expect(await filesBelow(root)).toEqual([])
  })

  test('leaves nothing when the folder cannot be made', async () => {
    await writeFile(join(root, 'files', '2026'), '')
    await expect(putFile(storage, newStorageKey(NOW), Readable.from([TEXT]))).rejects.toThrow()
    expect(await filesBelow(root)).toEqual([join(root, 'files', '2026')])
  })

  test('leaves nothing of a killed server after the next start, except current writes', async () => {
    const [old, fresh] = [
      join(root, 'files/.incoming', randomUUID()),
      join(root, 'files/.incoming', randomUUID()),
    ]
    await writeFile(old, 'half')
    await writeFile(fresh, 'half')
    const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000)
    await utimes(old, threeDaysAgo, threeDaysAgo)
    await openDiskStorage(join(root, 'files'))
    expect(await filesBelow(root)).toEqual([fresh])
  })
})

test.each([
  { path: '2026/11', name: 'x' },
  { path: '2026/11', name: '../../../etc/passwd' },
  { path: '2026/11', name: randomUUID().toUpperCase() },
  { path: '2026/11', name: `${randomUUID()}\n` },
  { path: '2026/13', name: randomUUID() },
  { path: '2026/11/..', name: randomUUID() },
  { path: '..', name: randomUUID() },
  { path: '/2026/11', name: randomUUID() },
  { path: '', name: randomUUID() },
  { path: '2026/11\0', name: randomUUID() },
])('refuses a foreign key: $path $name', async (key) => {
  await expect(putFile(storage, key, Readable.from([TEXT]))).rejects.toThrow('Not a key')
  await expect(storage.get(key)).rejects.toThrow('Not a key')
  await expect(storage.remove(key)).rejects.toThrow('Not a key')
  expect(await filesBelow(root)).toEqual([])
})

test('writes an owner once, and treats one left empty by a power loss as none', async () => {
  await expect(storage.owner('ours')).resolves.toBe('ours')
  await expect(storage.owner('theirs')).resolves.toBe('ours')
  await writeFile(join(root, 'files', '.owner'), '')
  await expect(storage.owner('ours')).resolves.toBe('ours')
  await expect(storage.owner('theirs')).resolves.toBe('ours')
})

test('is ready until its folder is gone', async () => {
  await expect(storage.ready()).resolves.toBeUndefined()
  expect(await filesBelow(root)).toEqual([])
  await rm(join(root, 'files'), { recursive: true })
  await expect(storage.ready()).rejects.toThrow('is gone')
})

test('is not ready while its disk is full', async ({ skip }) => {
  const full = '/dev/full'
  skip(!existsSync(full), 'no disk here is full')
  // Every server writes this file to check the storage.
  await symlink(full, join(root, 'files', '.incoming', `ready-${process.pid}`))
  await expect(storage.ready()).rejects.toMatchObject({ code: 'ENOSPC' })
  await expect(storage.ready()).resolves.toBeUndefined()
})

test('opens only where it may write', async () => {
  const file = join(root, 'a-file')
  await writeFile(file, '')
  await expect(openDiskStorage(join(file, 'files'))).rejects.toThrow()
  const closed = join(root, 'closed')
  await mkdir(closed)
  await chmod(closed, 0o500)
  // Root may everywhere.
  if (process.getuid?.() !== 0) await expect(openDiskStorage(join(closed, 'files'))).rejects.toThrow()
})
