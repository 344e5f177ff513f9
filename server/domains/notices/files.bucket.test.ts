import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import {
  beginUpload,
  cancelUpload,
  deleteNotice,
  downloadFile,
  finishUpload,
} from '../../../contract/notices.ts'
import { readConfig } from '../../config.ts'
import { StartRefusal } from '../../startup-error.ts'
import { createServices } from '../../create-services.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import { lookInto } from '../../../dev/test-kit/bucket.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  sendByTus,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { sealInput } from '../../../dev/test-kit/seal.ts'

/*
 * The file of a notice in a bucket, large enough for several parts; upload.test.ts runs there too, with small ones.
 */
const maru = useMaru()
const MB = 1024 * 1024
const PART = 8 * MB
const LARGE = randomBytes(17 * MB)
let kim: TestUser
let base: string
let bucket: ReturnType<typeof lookInto>

beforeAll(async () => {
  if (maru.bucket === undefined) throw new Error('STORAGE_URL names the bucket: npm test s3')
  bucket = lookInto(maru.bucket)
  kim = await maru.createUser()
  base = await addressOfMaru(maru)
})

const everything = { uploadHours: 0, discardedDays: 0, orphanHours: 0 }
const sweep = () => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, everything)
const inBucket = async () => ({ files: await bucket.files(), unfinished: await bucket.unfinished() })

afterEach(async () => {
  await maru.database.pool.query('delete from notices')
  await sweep()
  expect(await inBucket()).toEqual({ files: [], unfinished: [] })
})

async function begin(size = LARGE.length, replaces = '', notice?: string) {
  const id = notice ?? (await writeNotice(maru, kim))
  const input = {
    noticeId: id,
    fileName: '점검 계획.bin',
    fileSize: size,
    replacesFileId: replaces,
  }
  return { notice: id, id: (await maru.call(beginUpload, input, kim)).data.uploadId }
}

const finish = (id: string) => maru.call(finishUpload, { uploadId: id }, kim)
const ask = (method: string, id: string, headers?: Record<string, string>, body?: Buffer) =>
  askTus(maru, kim, method, id, headers, body)
const offsetOf = async (id: string) => Number((await ask('HEAD', id)).headers.get('Upload-Offset'))

const sendRest = (id: string, body: Buffer) => sendByTus(base, kim, id, body)

/** The bytes that a download gives, over a real connection. */
async function download(notice: string, range?: string): Promise<{ status: number; bytes: Buffer }> {
  const [file] = await filesOf(maru, kim, notice)
  const { storedPath, storedName } = file!
  const response = await fetch(`${base}${API_BASE}${downloadFile.path}`, {
    method: 'POST',
    headers: {
      [SESSION_HEADER]: kim.session,
      'content-type': 'application/json',
      ...(range !== undefined && { range }),
    },
    body: sealInput(downloadFile, { storedPath, storedName }),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe("a notice's file in a bucket (rules/running#storage)", () => {
  test('returns a file of several form parts whole, and in ranges across parts', async () => {
    const notice = await writeNotice(maru, kim)
    expect(await attach(maru, kim, notice, '점검 계획.bin', LARGE)).toMatchObject({ status: 200 })
    const [file] = await filesOf(maru, kim, notice)
    expect(file).toMatchObject({ fileName: '점검 계획.bin' })
    expect(await inBucket()).toEqual({ files: [file?.storedName], unfinished: [] })
    const whole = await download(notice)
    expect([whole.status, whole.bytes.equals(LARGE)]).toEqual([200, true])
    const part = await download(notice, `bytes=${PART - 3}-${PART + 2}`)
    expect([part.status, part.bytes.equals(LARGE.subarray(PART - 3, PART + 3))]).toEqual([206, true])
    expect((await download(notice, `bytes=${LARGE.length}-`)).status).toBe(416)
  })

  test('continues and finishes through another server after a break in the second part', async () => {
    const { notice, id } = await begin()
    const cut = await ask('PATCH', id, { 'Upload-Offset': '0' }, LARGE.subarray(0, PART + MB))
    expect(cut.headers.get('Upload-Offset')).toBe(String(PART))
    expect(await inBucket()).toMatchObject({ files: [], unfinished: [expect.any(String)] })
    expect(await filesOf(maru, kim, notice)).toEqual([])
    const twin = await maru.startTwin()
    expect((await twin.call(finishUpload, { uploadId: id }, kim)).code).toBe('UPLOAD_INCOMPLETE')
    expect(await offsetOf(id)).toBe(PART)
    await sendRest(id, LARGE)
    // The other server finishes, and both then return the same result.
    expect((await twin.call(finishUpload, { uploadId: id }, kim)).data).toEqual({ fileId: id })
    expect((await finish(id)).data).toEqual({ fileId: id })
    expect((await download(notice)).bytes.equals(LARGE)).toBe(true)
    expect((await bucket.unfinished()).length).toBe(0)
  })

  test('stays until it is replaced, and is removed once its days are over', async () => {
    const { notice, id } = await begin()
    await sendRest(id, LARGE)
    await finish(id)
    const small = Buffer.from('새 내용')
    const next = await begin(small.length, id, notice)
    expect((await download(notice)).bytes.equals(LARGE)).toBe(true)
    await sendRest(next.id, small)
    expect((await finish(next.id)).status).toBe(200)
    expect((await download(notice)).bytes.equals(small)).toBe(true)
    // Seven days in which it can be brought back.
    await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)
    expect(await bucket.files()).toHaveLength(2)
    expect(await sweep()).toEqual({ removed: 1, missing: 0 })
    expect(await bucket.files()).toEqual([(await filesOf(maru, kim, notice))[0]?.storedName])
    await maru.call(deleteNotice, { noticeId: notice }, kim)
    expect(await sweep()).toEqual({ removed: 1, missing: 0 })
    expect(await bucket.files()).toEqual([])
  })

  test('leaves no part behind when it is cancelled or abandoned', async () => {
    for (const end of [(id: string) => maru.call(cancelUpload, { uploadId: id }, kim), () => sweep()]) {
      const { id } = await begin()
      await ask('PATCH', id, { 'Upload-Offset': '0' }, LARGE.subarray(0, PART + MB))
      expect(await bucket.unfinished()).toHaveLength(1)
      await end(id)
      expect(await inBucket()).toEqual({ files: [], unfinished: [] })
      expect((await ask('HEAD', id)).status).toBe(400)
    }
  })
})

test.each([
  ['a wrong secret', (url: URL) => (url.password = 'wrong'), /signature/],
  ['an unknown key', (url: URL) => (url.username = 'nobody'), /signature|[Aa]ccess [Kk]ey/],
  ['a bucket that is not there', (url: URL) => (url.pathname = '/not-there'), /bucket does not exist/],
  [
    'a server that is not there',
    (url: URL) => url.searchParams.set('endpoint', 'http://127.0.0.1:9'),
    /ECONNREFUSED/,
  ],
])('%s refuses the start in one line that names the bucket but no secret', async (_, spoil, why) => {
  const url = new URL(maru.bucket!)
  const secret = decodeURIComponent(url.password)
  spoil(url)
  const config = readConfig({ DATA_DIR: maru.dataDir, STORAGE_URL: url.href })
  const starting = createServices({
    config,
    database: maru.database,
    logger: pino({ level: 'silent' }),
    say: () => {},
  })
  const refusal: unknown = await starting.catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(StartRefusal)
  const { message } = refusal as StartRefusal
  expect(message).toMatch(/^STORAGE_URL: the bucket [\w-]+ at http[^ ]+ cannot be used \(.+\)\. Check that /)
  expect(message).toMatch(why)
  expect(message).not.toContain(secret)
})
