import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import { beginUpload, cancelUpload, deleteFile, finishUpload, uploadFile } from '../../../contract/notices.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import { wireNames } from '../../../contract/wire.ts'
import { sweepRows } from '../../jobs/schedule.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  keptFiles,
  removeNotices,
  sendUpload,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const MB = 1024 ** 2
const maru = useMaru({}, { maxFileBytes: 2 * MB })
let kim: TestUser
let lee: TestUser

const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
async function setQuota(megabytes: number): Promise<void> {
  await sql('update settings set upload_quota_mb = $1', [megabytes])
  await maru.services.settings.fresh()
}
/** Bytes of today that the user has used or reserved. */
const usedBy = async ({ id }: TestUser): Promise<number> => {
  const [row] = await sql(
    `select bytes::int as bytes from upload_days where user_id = $1 and day = (now() at time zone 'Asia/Seoul')::date`,
    [id],
  )
  return row?.bytes ?? 0
}
const begin = (by: TestUser, fileSize: number) =>
  maru.call(beginUpload, { fileName: '자료.zip', fileSize }, by)
const post = async (by: TestUser, bytes: number) =>
  attach(maru, by, await writeNotice(maru, by), '자료.zip', Buffer.alloc(bytes))
const uploadsOf = async ({ id }: TestUser) => sql('select id from uploads where user_id = $1', [id])

const { toWire } = wireNames(uploadFile)
/** The first part of a form, up to the content of its file. */
const formHead = (noticeId: string) =>
  [
    ['noticeId', noticeId],
    ['fileName', 'a.bin'],
  ]
    .map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${toWire(name!)}"\r\n\r\n${value}\r\n`,
    )
    .join('') + `--b\r\nContent-Disposition: form-data; name="${toWire('file')}"; filename="a.bin"\r\n\r\n`
async function openForm(by: TestUser, headers: Record<string, string>) {
  return request(`${await addressOfMaru(maru)}${API_BASE}${uploadFile.path}`, {
    method: 'POST',
    headers: { [SESSION_HEADER]: by.session, 'content-type': 'multipart/form-data; boundary=b', ...headers },
  })
}

beforeEach(async () => {
  kim = await maru.createUser({ name: '김작성' })
  lee = await maru.createUser({ name: '이다른' })
  await setQuota(1)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await removeNotices(maru)
  expect(await keptFiles(maru)).toEqual([])
  expect(maru.log.filter((line) => line.level >= 50)).toEqual([])
})

describe('the daily upload quota of a user (rules/files#upload-quota)', () => {
  test('counts files by form, by tus and pictures together, each user alone', async () => {
    expect((await post(kim, 0.375 * MB)).status).toBe(200)
    await sendUpload(maru, kim, '둘째.zip', Buffer.alloc(0.25 * MB))
    const picture = { fileName: '사진.png', fileSize: 0.25 * MB, picture: 'abcdefghij' }
    expect((await maru.call(beginUpload, picture, kim)).status).toBe(200)
    expect(await usedBy(kim)).toBe(0.375 * MB + 0.5 * MB)
    expect(await begin(kim, 0.25 * MB)).toMatchObject({ status: 400, code: 'UPLOAD_QUOTA' })
    expect(await post(kim, 0.25 * MB)).toMatchObject({ status: 400, code: 'UPLOAD_QUOTA' })
    expect((await begin(lee, MB)).status).toBe(200)
  })

  test('is used up to its last byte, and no further', async () => {
    expect((await begin(kim, MB)).status).toBe(200)
    expect((await begin(kim, 1)).code).toBe('UPLOAD_QUOTA')
    expect((await begin(kim, 0)).status).toBe(200)
    expect(await usedBy(kim)).toBe(MB)
  })

  test('leaves nothing of a refused upload, and says the limit and when it ends', async () => {
    const answer = await post(kim, 1.5 * MB)
    expect(answer).toMatchObject({ code: 'UPLOAD_QUOTA' })
    expect(answer.msg).toContain('자정(한국 시간)')
    expect(answer.msg).toContain('(0 / 1 MB)')
    const english = await maru.call(
      beginUpload,
      { fileName: 'a', fileSize: 2 * MB },
      {
        session: kim.session,
        language: 'en',
      },
    )
    expect(JSON.stringify(english)).toContain('midnight in Korea')
    expect([await uploadsOf(kim), await keptFiles(maru), await usedBy(kim)]).toEqual([[], [], 0])
    // A smaller file still fits.
    expect((await post(kim, 0.5 * MB)).status).toBe(200)
  })

  test('is not exceeded by uploads that begin concurrently, by form and by tus', async () => {
    const notice = await writeNotice(maru, kim)
    const answers = await Promise.all([
      begin(kim, 0.625 * MB),
      attach(maru, kim, notice, '자료.zip', Buffer.alloc(0.625 * MB)),
      begin(kim, 0.625 * MB),
    ])
    expect(answers.map(({ code }) => code ?? 'begun').toSorted()).toEqual([
      'UPLOAD_QUOTA',
      'UPLOAD_QUOTA',
      'begun',
    ])
    expect(await uploadsOf(kim)).toHaveLength(1)
    expect(await usedBy(kim)).toBe(0.625 * MB)
  })

  test('restarts on the next day in Seoul, and the cleanup deletes earlier rows only', async () => {
    await begin(kim, MB)
    expect((await begin(kim, 1)).code).toBe('UPLOAD_QUOTA')
    await sql('update upload_days set day = day - 1')
    expect((await begin(kim, 0.5 * MB)).status).toBe(200)
    await sweepRows(maru.database.pool, maru.services.settings.session())
    expect(await sql('select bytes::int as bytes from upload_days where user_id = $1', [kim.id])).toEqual([
      { bytes: 0.5 * MB },
    ])
  })

  test('does not return bytes to another day than the one on which the upload began', async () => {
    const { data } = await begin(kim, 0.5 * MB)
    await sql(`update uploads set created_at = created_at - interval '1 day' where id = $1`, [data.uploadId])
    await begin(kim, 0.25 * MB)
    await maru.call(cancelUpload, data, kim)
    expect(await usedBy(kim)).toBe(0.75 * MB)
  })

  test('counts all of a file deleted later, and of one that waited for its notice', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '지울 것.zip', Buffer.alloc(0.5 * MB))
    const [file] = await filesOf(maru, kim, notice)
    const { fileId, storedName, storedPath } = file!
    const deleted = await maru.call(deleteFile, { noticeId: notice, fileId, storedName, storedPath }, kim)
    expect(deleted.status).toBe(200)
    const uploadId = await sendUpload(maru, kim, '기다린 것.zip', Buffer.alloc(0.375 * MB))
    await maru.call(cancelUpload, { uploadId }, kim)
    expect(await usedBy(kim)).toBe(0.5 * MB + 0.375 * MB)
    expect((await begin(kim, 0.25 * MB)).code).toBe('UPLOAD_QUOTA')
  })

  test('counts nothing of an upload that is cancelled or refused before its first byte', async () => {
    const { data } = await begin(kim, MB)
    await maru.call(cancelUpload, data, kim)
    vi.spyOn(maru.services.storage, 'room').mockResolvedValue(9)
    expect((await begin(kim, MB)).code).toBe('STORAGE_FULL')
    vi.restoreAllMocks()
    expect(await usedBy(kim)).toBe(0)
    expect((await begin(kim, MB)).status).toBe(200)
  })

  test('counts what was stored of a cancelled upload, however often it is cancelled', async () => {
    const { data } = await begin(kim, MB)
    await askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, Buffer.alloc(0.25 * MB))
    // A bucket stores whole parts alone.
    const stored = Number((await askTus(maru, kim, 'HEAD', data.uploadId)).headers.get('Upload-Offset'))
    await Promise.all([1, 2, 3].map(() => maru.call(cancelUpload, data, kim)))
    expect(await usedBy(kim)).toBe(stored)
    expect((await maru.call(finishUpload, data, kim)).code).toBe('UPLOAD_NOT_FOUND')
  })

  test('counts what was stored of a form whose connection breaks', async () => {
    const notice = await writeNotice(maru, kim)
    const form = await openForm(kim, { 'content-length': String(MB) })
    form.on('error', () => {})
    form.write(formHead(notice) + 'x'.repeat(100_000))
    await expect.poll(() => usedBy(kim)).toBe(MB)
    if (maru.bucket === undefined) await expect.poll(() => keptFiles(maru)).toHaveLength(1)
    form.destroy()
    await expect.poll(() => uploadsOf(kim)).toEqual([])
    expect(await usedBy(kim)).toBeLessThanOrEqual(100_000)
    if (maru.bucket === undefined) expect(await usedBy(kim)).toBeGreaterThan(0)
  })

  test('reserves the maximum for a form without a length, then counts its bytes', async () => {
    const notice = await writeNotice(maru, kim)
    const send = async () => {
      const form = await openForm(kim, { 'transfer-encoding': 'chunked' })
      form.end(`${formHead(notice)}${'x'.repeat(1000)}\r\n--b--\r\n`)
      const [response] = await once(form, 'response')
      response.resume()
      return response.statusCode
    }
    expect(await send()).toBe(400)
    expect(await usedBy(kim)).toBe(0)
    await setQuota(2)
    expect(await send()).toBe(200)
    expect(await usedBy(kim)).toBe(1000)
  })

  test('holds as the setting says now, and counts while there is no limit', async () => {
    const admin = await maru.createUser({ role: 'admin' })
    const save = async (uploadQuotaMb: number) => {
      const { address: _, roles: __, fixed: ___, ...values } = (await maru.call(getSecurity, {}, admin)).data
      expect((await maru.call(updateSecurity, { ...values, uploadQuotaMb }, admin)).status).toBe(200)
    }
    expect((await begin(kim, 1.5 * MB)).code).toBe('UPLOAD_QUOTA')
    await save(0)
    expect((await begin(kim, 1.5 * MB)).status).toBe(200)
    await save(1)
    expect((await begin(kim, 1)).code).toBe('UPLOAD_QUOTA')
    await save(2)
    expect((await begin(kim, 0.5 * MB)).status).toBe(200)
    expect((await begin(kim, 1)).code).toBe('UPLOAD_QUOTA')
  })
})
