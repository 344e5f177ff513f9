import { ListPartsCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { lookInto, openBucket, ownFolder, placeOf } from '../../../dev/test-kit/bucket.ts'
import { incomingFile, newStorageKey, putFile } from '../storage.ts'
import { openS3Storage } from './s3.ts'

/*
 * Behavior that only a real S3 shows: the content of the bucket during an upload and after its cancellation, and its
 * answers to repeated requests. `npm test s3` runs it on OpenStack Swift.
 */
const url = ownFolder()
if (url === undefined) throw new Error('STORAGE_URL names the bucket: npm test s3')
const storage = openBucket(url)
const bucket = lookInto(url)
afterAll(() => {
  storage.close()
  bucket.client.destroy()
})

const MB = 1024 * 1024
const PART = 8 * MB
/** Two whole parts and a short one. */
const LARGE = Buffer.from(Uint32Array.from({ length: (17 * MB) / 4 }, (_, index) => index).buffer)
const newKey = () => newStorageKey(new Date())

interface Remembered {
  uploadId: string
  parts: { etag: string; size: number }[]
}

/** A file whose first parts are in the bucket, as its row would say. */
async function begun(bytes = LARGE.length) {
  const file = incomingFile(newKey(), LARGE.length)
  await storage.append(file, Readable.from([LARGE.subarray(0, bytes)]))
  return { file, state: JSON.parse(file.state) as Remembered }
}

describe('a multipart upload', () => {
  test('leaves neither upload nor parts when it is abandoned', async () => {
    const { file, state } = await begun(2 * PART)
    const parts = new ListPartsCommand({ ...bucket.at(file.key), UploadId: state.uploadId })
    expect((await bucket.client.send(parts)).Parts).toHaveLength(2)
    expect(await bucket.unfinished()).toEqual([file.key.name])
    await storage.abandon(file)
    await expect(bucket.client.send(parts)).rejects.toMatchObject({ name: 'NoSuchUpload' })
    expect([await bucket.unfinished(), await bucket.files()]).toEqual([[], []])
    // A sweep that died after the bytes went, and comes again.
    await expect(storage.abandon(file)).resolves.toBeUndefined()
    // A writer that goes on meets an error and leaves nothing.
    await expect(storage.append(file, Readable.from([LARGE.subarray(2 * PART)]))).rejects.toThrow()
    expect([await bucket.unfinished(), await bucket.files()]).toEqual([[], []])
  })

  test('goes on in another process from the parts of its row, even without the last part', async () => {
    const { file, state } = await begun(PART)
    // Stored, and then the process died: the row does not include it.
    const lost = {
      ...bucket.at(file.key),
      UploadId: state.uploadId,
      PartNumber: 2,
      Body: Buffer.alloc(6 * MB),
    }
    await bucket.client.send(new UploadPartCommand(lost))

    const elsewhere = openBucket(url)
    const again = incomingFile(file.key, LARGE.length)
    again.state = file.state
    expect(await elsewhere.received(again)).toBe(PART)
    await elsewhere.append(again, Readable.from([LARGE.subarray(PART)]))
    expect(await elsewhere.finish(again)).toEqual({ size: LARGE.length })
    elsewhere.close()
    const stored = await storage.get(file.key)
    expect((await buffer(stored!.stream)).equals(LARGE)).toBe(true)
    expect(await bucket.unfinished()).toEqual([])
    await storage.remove(file.key)
  })

  test('makes one file of a multipart upload that is completed twice', async () => {
    const { file } = await begun()
    expect(await storage.sizeOf(file.key)).toBeNull()
    expect(await storage.finish(file)).toEqual({ size: LARGE.length })
    expect(await storage.finish(file)).toEqual({ size: LARGE.length })
    // All has come, and one more request with nothing in it adds nothing.
    await storage.append(file, Readable.from([]))
    expect(await storage.received(file)).toBe(LARGE.length)
    expect(await storage.sizeOf(file.key)).toBe(LARGE.length)
    expect([await bucket.unfinished(), await bucket.files()]).toEqual([[], [file.key.name]])
    await storage.abandon(file)
    expect(await bucket.files()).toEqual([])
  })

  test('cannot complete with a missing or wrong part, but can still delete its parts', async () => {
    for (const spoil of [
      ({ parts }: Remembered) => parts.push({ etag: `"${'0'.repeat(32)}"`, size: PART }),
      ({ parts }: Remembered) => (parts[1]!.etag = `"${'0'.repeat(32)}"`),
    ]) {
      const { file, state } = await begun(2 * PART)
      spoil(state)
      file.state = JSON.stringify(state)
      await expect(storage.finish(file)).rejects.toMatchObject({ name: 'InvalidPart' })
      expect([await storage.sizeOf(file.key), await bucket.files()]).toEqual([null, []])
      await storage.abandon(file)
      expect(await bucket.unfinished()).toEqual([])
    }
  })

  test('cannot complete a multipart upload that was aborted', async () => {
    const { file } = await begun()
    await storage.abandon(file)
    await expect(storage.finish(file)).rejects.toThrow('The storage lost an upload')
  })
})

test('ranges work at the borders of parts and for an empty object', async () => {
  const key = newKey()
  await putFile(storage, key, Readable.from([LARGE]))
  for (const [start, end] of [
    [0, 0],
    [PART - 1, PART],
    [PART, PART],
    [2 * PART - 2, 2 * PART - 1],
    [PART - 1, 2 * PART],
    [LARGE.length - 1, LARGE.length - 1],
  ] as const) {
    const part = await storage.get(key, { start, end })
    expect(part?.size).toBe(LARGE.length)
    expect((await buffer(part!.stream)).equals(LARGE.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
  }
  await storage.remove(key)
  const empty = newKey()
  await putFile(storage, empty, Readable.from([]))
  expect((await storage.get(empty))?.size).toBe(0)
  await expect(storage.get(empty, { start: 0, end: 0 })).rejects.toThrow(RangeError)
  await storage.remove(empty)
})

test('lists every file once over several pages, even if two share a folder', async () => {
  const months = [
    '2026-10-01',
    '2026-11-01',
    '2026-11-02',
    '2026-11-03',
    '2026-11-04',
    '2026-12-01',
    '2026-12-02',
  ]
  const keys = months.map((day) => newStorageKey(new Date(day)))
  for (const key of keys) await putFile(storage, key, Readable.from([Buffer.from('x')]))
  const paged = openS3Storage({ ...placeOf(url), pageSize: 3 })
  const found: [path: string, names: string[]][] = []
  for await (const { path, files } of paged.list()) found.push([path, [...files.keys()]])
  paged.close()
  const of = (path: string) => keys.filter((key) => key.path === path).map(({ name }) => name)
  expect(found).toEqual(
    ['2026/10', '2026/11', '2026/12'].map((path) => [path, of(path).toSorted((a, b) => (a < b ? -1 : 1))]),
  )
  for (const key of keys) await storage.remove(key)
})
