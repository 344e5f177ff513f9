import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  beginUpload,
  BULLET,
  cancelUpload,
  createNotice,
  deleteNotice,
  finishUpload,
  listUploads,
  updateNotice,
} from '../../../contract/notices.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import {
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

/* Uploads that begin before their notice is saved (rules/files#upload-before-notice). */
const maru = useMaru()
let kim: TestUser
let lee: TestUser

beforeAll(async () => {
  kim = await maru.createUser({ name: '김작성' })
  lee = await maru.createUser({ role: 'hr' })
})

const query = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const text = { bulletCode: BULLET.notice, title: '파일과 함께', memo: '' }
const write = (uploadId: string, by = kim) => maru.call(createNotice, { ...text, uploadId }, by)
const waiting = async (by: TestUser) => (await maru.call(listUploads, {}, by)).data.uploads
const sweep = () => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)

afterEach(async () => {
  await removeNotices(maru)
  // Every test must leave nothing behind, whatever it covers.
  expect(await keptFiles(maru)).toEqual([])
})

describe('an upload without a notice', () => {
  test('saves an upload with its notice, both or neither, and logs it', async () => {
    const uploadId = await sendUpload(maru, kim, '점검.txt', '내용')
    expect(await waiting(kim)).toMatchObject([{ uploadId, fileName: '점검.txt', stored: true }])
    expect(await waiting(lee)).toEqual([])
    const { data } = await write(uploadId)
    expect(await filesOf(maru, kim, data.noticeId)).toMatchObject([{ fileId: uploadId, fileSize: 6 }])
    expect(await waiting(kim)).toEqual([])
    const trail = `select action, detail from audit_log where target = $1 order by id`
    expect(await query(trail, [data.noticeId])).toEqual([
      { action: 'notice.create', detail: { title: text.title, file: '점검.txt' } },
    ])
    expect(await query(trail, [uploadId])).toEqual([
      { action: 'file.upload', detail: { name: '점검.txt', size: 6 } },
    ])
    // An upload can be attached only once: another notice with it is not saved.
    expect(await write(uploadId)).toMatchObject({ status: 400, code: 'UPLOAD_NOT_FOUND' })
    expect(await query('select id from notices')).toHaveLength(1)
  })

  test('saves no notice with an unfinished, canceled, foreign or unknown upload', async () => {
    const begin = { fileName: '반쪽.txt', fileSize: 10, lastModified: 1_760_000_000_000 }
    const { data } = await maru.call(beginUpload, begin, kim)
    expect(await waiting(kim)).toMatchObject([{ ...begin, stored: false }])
    await askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, Buffer.from('12345'))
    expect(await maru.call(finishUpload, data, kim)).toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
    expect(await write(data.uploadId)).toMatchObject({ code: 'UPLOAD_INCOMPLETE' })

    const uploadId = await sendUpload(maru, kim, '내 것.txt', 'x')
    for (const id of [uploadId, data.uploadId, '00000000-0000-4000-8000-000000000000', 'none'])
      expect(await write(id, lee)).toMatchObject({ status: 400, code: 'UPLOAD_NOT_FOUND' })
    await query(`update uploads set created_at = now() - interval '25 hours' where id = $1`, [uploadId])
    expect(await write(uploadId)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    expect(await waiting(kim)).toHaveLength(1)

    expect((await keptFiles(maru)).length).toBeGreaterThanOrEqual(maru.bucket === undefined ? 2 : 1)
    for (const id of [uploadId, data.uploadId]) await maru.call(cancelUpload, { uploadId: id }, kim)
    expect(await keptFiles(maru)).toEqual([])
    expect(await write(uploadId)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    expect(await query('select id from notices')).toEqual([])
  })

  test('replaces the file that its author saw, with the text, or changes neither', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', '옛')
    const [old] = await filesOf(maru, kim, notice)
    const uploadId = await sendUpload(maru, kim, '새.txt', '새')
    const save = (replacesFileId: string) =>
      maru.call(updateNotice, { ...text, noticeId: notice, uploadId, replacesFileId }, kim)
    expect(await save('')).toMatchObject({ status: 400, code: 'FILE_ALREADY_ATTACHED' })
    expect(await query('select title from notices')).toEqual([{ title: '첨부 시험' }])
    expect(await filesOf(maru, kim, notice)).toEqual([old])
    expect(await save(old!.fileId)).toMatchObject({ status: 200 })
    expect(await filesOf(maru, kim, notice)).toMatchObject([{ fileId: uploadId, fileName: '새.txt' }])
    expect(await query('select id from discarded_files')).toEqual([{ id: old!.fileId }])
  })

  test('answers the same when it is finished again, also once it is the file of a notice', async () => {
    const uploadId = await sendUpload(maru, kim, '두 번.txt', 'x')
    expect((await maru.call(finishUpload, { uploadId }, kim)).data).toEqual({ fileId: uploadId })
    const { data } = await write(uploadId)
    expect((await maru.call(finishUpload, { uploadId }, kim)).data).toEqual({ fileId: uploadId })
    await maru.call(deleteNotice, { noticeId: data.noticeId }, kim)
    expect(await maru.call(finishUpload, { uploadId }, kim)).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
  })

  test('counts toward open uploads and the 5 GB until attached, and expires in a day (rules/files#room)', async () => {
    const ids = [1, 2, 3].map((n) => sendUpload(maru, kim, `${n}.txt`, 'x'))
    await Promise.all(ids)
    const fourth = { fileName: '4.txt', fileSize: 1 }
    expect(await maru.call(beginUpload, fourth, kim)).toMatchObject({ code: 'UPLOADS_OPEN' })
    await query(`update uploads set touched_at = now() - interval '61 minutes'`)
    await query(`update uploads set size_bytes = 5368709119 where stored_at is not null and id = $1`, [
      await ids[0],
    ])
    expect(await maru.call(beginUpload, fourth, kim)).toMatchObject({ code: 'UPLOADS_FULL' })
    await query(`update uploads set created_at = now() - interval '24 hours'`)
    expect(await sweep()).toMatchObject({ removed: 3 })
    expect(await keptFiles(maru)).toEqual([])
    expect((await maru.call(beginUpload, fourth, kim)).status).toBe(200)
  })
})
