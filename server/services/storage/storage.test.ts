import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBucket, ownFolder } from '../../../dev/test-kit/bucket.ts'
import { incomingFile, newStorageKey, putFile, type Storage } from '../storage.ts'
import { openDiskStorage } from './disk.ts'
import { readStorageUrl } from './url.ts'

/* Contract of every storage: the disk, or with STORAGE_URL a bucket, which is OpenStack Swift's in `npm test s3`. */
const dir = mkdtempSync(join(tmpdir(), 'maru-storage-'))
const bucket = ownFolder()

afterAll(() => rmSync(dir, { recursive: true, force: true }))

const NOW = new Date('2026-11-21T03:00:00Z')
const MB = 1024 * 1024
const large = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('latin1')
/** 17 MB: two whole parts and a third of an S3 upload. */
const LARGE = Buffer.from(large.repeat((17 * MB) / 256), 'latin1')

async function* broken(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
  throw new Error('connection reset')
}

describe(bucket === undefined ? 'disk' : 's3', () => {
  let storage: Storage

  beforeAll(async () => {
    storage = bucket === undefined ? await openDiskStorage(join(dir, 'disk')) : openBucket(bucket)
  })

  const read = async (...question: Parameters<Storage['get']>) => {
    const file = await storage.get(...question)
    return file === null ? null : buffer(file.stream)
  }

  test.each([
    ['empty', Buffer.alloc(0)],
    ['small', Buffer.from('첨부 파일입니다.')],
    ['of exactly one part', LARGE.subarray(0, 8 * MB)],
    ['of several parts', LARGE],
  ])('returns a file as it was stored: %s', async (_name, content) => {
    const key = newStorageKey(NOW)
    expect(await putFile(storage, key, Readable.from([content]))).toEqual({ size: content.length })
    expect((await read(key))?.equals(content)).toBe(true)
    expect(await storage.sizeOf(key)).toBe(content.length)
    await storage.remove(key)
    await storage.remove(key)
    expect([await storage.get(key), await storage.sizeOf(key)]).toEqual([null, null])
  })

  test('returns a range, and refuses one outside the file', async () => {
    const key = newStorageKey(NOW)
    await putFile(storage, key, Readable.from([Buffer.from('0123456789')]))
    expect(String(await read(key, { start: 2, end: 4 }))).toBe('234')
    expect(String(await read(key, { start: 9, end: 9 }))).toBe('9')
    expect(await storage.get(newStorageKey(NOW), { start: 0, end: 1 })).toBeNull()
    for (const range of [
      { start: 5, end: 10 },
      { start: 4, end: 3 },
      { start: -1, end: 3 },
    ]) {
      await expect(storage.get(key, range)).rejects.toThrow(RangeError)
    }
    await storage.remove(key)
  })

  test('continues an interrupted file in another process that knows only its state', async () => {
    const key = newStorageKey(NOW)
    const first = incomingFile(key, LARGE.length)
    await expect(storage.append(first, broken(LARGE.subarray(0, 9 * MB)))).rejects.toThrow('connection reset')
    expect(await storage.sizeOf(key)).toBeNull()
    const second = incomingFile(key, LARGE.length)
    second.state = first.state
    const offset = await storage.received(second)
    expect(offset).toBeGreaterThanOrEqual(8 * MB)
    await storage.append(second, Readable.from([LARGE.subarray(offset)]))
    expect(await storage.received(second)).toBe(LARGE.length)
    expect(await storage.finish(second)).toEqual({ size: LARGE.length })
    expect(await storage.finish(second)).toEqual({ size: LARGE.length })
    expect((await read(key))?.equals(LARGE)).toBe(true)
    await storage.remove(key)
  })

  test('leaves nothing of an abandoned file, before or after it is finished', async () => {
    for (const finish of [false, true]) {
      const file = incomingFile(newStorageKey(NOW), LARGE.length)
      await storage.append(file, Readable.from([LARGE]))
      if (finish) await storage.finish(file)
      await storage.abandon(file)
      await storage.abandon(file)
      expect(await storage.get(file.key)).toBeNull()
    }
  })

  test('leaves nothing of an interrupted put', async () => {
    const key = newStorageKey(NOW)
    await expect(putFile(storage, key, broken(LARGE))).rejects.toThrow('connection reset')
    expect(await storage.get(key)).toBeNull()
  })

  test('only finished files are listed, by folder', async () => {
    const keys = [newStorageKey(NOW), newStorageKey(NOW), newStorageKey(new Date('2026-12-01T00:00:00Z'))]
    for (const key of keys) await putFile(storage, key, Readable.from([Buffer.from('x')]))
    const unfinished = incomingFile(newStorageKey(NOW), LARGE.length)
    await storage.append(unfinished, Readable.from([LARGE.subarray(0, 9 * MB)]))
    const found: string[] = []
    for await (const { path, files } of storage.list()) {
      for (const [name, at] of files) {
        expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000)
        found.push(`${path}/${name}`)
      }
    }
    const wanted = keys.map(({ path, name }) => `${path}/${name}`)
    expect(found.filter((one) => wanted.includes(one)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
      wanted.toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(found).not.toContain(`${unfinished.key.path}/${unfinished.key.name}`)
    await storage.abandon(unfinished)
    for (const key of keys) await storage.remove(key)
  })

  test('lists a quarantined file only there, with its own age, readable and restorable (rules/files#quarantine)', async () => {
    const key = newStorageKey(new Date('2026-10-01T00:00:00Z'))
    const listed = async (shelf: 'kept' | 'quarantine') => {
      for await (const { path, files } of storage.list(shelf))
        if (path === key.path && files.has(key.name)) return files.get(key.name)
      return undefined
    }
    await putFile(storage, key, Readable.from([Buffer.from('0123456789')]))
    await storage.quarantine(key, new Date())
    await storage.quarantine(key, new Date())
    expect(await listed('kept')).toBeUndefined()
    expect(Math.abs(Date.now() - (await listed('quarantine'))!.getTime())).toBeLessThan(60_000)
    expect([await storage.sizeOf(key), String(await read(key, { start: 2, end: 4 }))]).toEqual([10, '234'])
    await storage.release(key)
    await storage.release(key)
    expect([(await listed('kept')) !== undefined, await listed('quarantine')]).toEqual([true, undefined])
    await storage.quarantine(key, new Date())
    await storage.remove(key, 'quarantine')
    expect(await storage.get(key)).toBeNull()
  })

  test('keeps its pairing mark, and the one that was written last', async () => {
    expect(await storage.readMark()).toBeNull()
    for (const text of ['one', 'two']) await storage.writeMark(text)
    expect(await storage.readMark()).toBe('two')
  })

  test('belongs to the first to claim it', async () => {
    const first = await storage.owner('one')
    expect(await storage.owner('two')).toBe(first)
  })

  test('is ready and refuses a foreign key', async () => {
    const key = { path: '2026/11', name: '../../../etc/passwd' }
    await expect(putFile(storage, key, Readable.from(['x']))).rejects.toThrow('Not a key')
    await expect(storage.get(key)).rejects.toThrow('Not a key')
    await expect(storage.remove(key)).rejects.toThrow('Not a key')
    await expect(storage.ready()).resolves.toBeUndefined()
  })
})

describe('STORAGE_URL (rules/running#storage)', () => {
  test.each([
    '/srv/files',
    'http://host/bucket',
    's3://bucket',
    's3://key@host/bucket',
    's3://key:secret@host/',
    's3://key:secret@host/bucket?reigon=x',
    's3://key:secret@host/bucket?endpoint=ftp://x',
    's3://key:%zz@host/bucket',
    'file:///',
    'file:///a?b',
  ])('cannot be %s', (url) => expect(readStorageUrl(url, '/data')).toBeNull())

  test('names a folder or a bucket, with or without endpoint; default in DATA_DIR', () => {
    expect(readStorageUrl('', '/data')?.place).toEqual({ kind: 'disk', root: join('/data', 'files') })
    expect(readStorageUrl('file:///srv/maru', '/data')?.place).toEqual({ kind: 'disk', root: '/srv/maru' })
    expect(
      readStorageUrl('s3://k:s%2F1@s3.example.com/maru-files/a/b?region=ap-northeast-2', '/data'),
    ).toEqual({
      place: {
        kind: 's3',
        endpoint: 'https://s3.example.com',
        region: 'ap-northeast-2',
        bucket: 'maru-files',
        prefix: 'a/b/',
      },
      secret: { accessKeyId: 'k', secretAccessKey: 's/1' },
    })
    expect(readStorageUrl('s3://h/maru-files?endpoint=http://127.0.0.1:8080', '/data')).toMatchObject({
      place: { endpoint: 'http://127.0.0.1:8080', prefix: '' },
      secret: undefined,
    })
  })
})
