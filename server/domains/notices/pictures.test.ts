import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  beginUpload,
  createNotice,
  deleteNotice,
  downloadPicture,
  finishUpload,
  getNotice,
  listNotices,
  listUploads,
  MAX_PICTURE_BYTES,
  updateNotice,
} from '../../../contract/notices.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import { askTus, attach, filesOf, keptFiles, removeNotices, sendUpload } from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { gifOf, jpegOf, pngOf, webpOf } from '../../../dev/test-kit/pictures.ts'
import { sizeOfPicture } from './picture-size.ts'

/* Pictures in the text of a notice (rules/notices#pictures, design/notices#images-in-a-text). */
const maru = useMaru()
let kim: TestUser
let reader: TestUser
let manager: TestUser

beforeAll(async () => {
  kim = await maru.createUser({ name: '김작성' })
  reader = await maru.createUser({ role: 'user' })
  manager = await maru.createUser({ role: 'hr' })
})

const query = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows
const PNG = pngOf(4, 3)
const A = 'aaaaaaaaaa'
const B = 'bbbbbbbbbb'
const send = (picture: string, by = kim, content = PNG, name = '배치도.png') =>
  sendUpload(maru, by, name, content, { picture })
const text = { bulletCode: 'BE0001' as const, title: '자리 배치', memoFormat: 'markdown' as const }
const write = (memo: string, more = {}, by = kim) => maru.call(createNotice, { ...text, memo, ...more }, by)
const edit = (noticeId: string, memo: string, more = {}, by = kim) =>
  maru.call(updateNotice, { ...text, noticeId, memo, ...more }, by)
const get = (picture: string, noticeId?: string, by = reader) =>
  maru.call(downloadPicture, { picture, ...(noticeId && { noticeId }) }, by)
const picturesOf = async (noticeId: string, by = reader) =>
  (await maru.call(getNotice, { noticeId }, by)).data.pictures
const memoOf = (some: string[]) => some.map((name) => `![x](image:${name})`).join('\n')
const beginAny = (more: object) => maru.call(beginUpload, { fileName: 'a.png', fileSize: 9, ...more }, kim)
const countOf = async (memo: string) =>
  (await maru.call(listNotices, { searchType: '내용', memo }, reader)).data.totalCount
const sweep = () => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)

afterEach(async () => {
  await removeNotices(maru)
  // Every test must leave nothing behind, whatever it covers.
  expect(await keptFiles(maru)).toEqual([])
})

describe('a picture of a text', () => {
  test('saves an image with its notice, serves it to the audience, and logs it', async () => {
    await send(A)
    expect(await maru.call(listUploads, {}, kim)).toMatchObject({ data: { uploads: [] } })
    expect((await get(A, undefined, kim)).bytes).toEqual(PNG)
    expect(await get(A, undefined, reader)).toMatchObject({ status: 400, code: 'PICTURE_NOT_FOUND' })

    const { noticeId } = (await write(`안내\n\n![3층 배치도](image:${A})`)).data
    expect(await picturesOf(noticeId)).toEqual([{ picture: A, width: 4, height: 3 }])
    const answer = await get(A, noticeId)
    expect(answer.bytes).toEqual(PNG)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment; filename='),
      'cache-control': 'no-store',
    })
    // It is not an attached file, and does not count as a download.
    expect(await filesOf(maru, reader, noticeId)).toEqual([])
    expect(await query('select downloads from notice_files')).toEqual([{ downloads: 0 }])
    expect(await get(A, undefined, kim)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    expect(await query(`select detail from audit_log where target = $1`, [noticeId])).toEqual([
      { detail: { title: text.title, pictures: { added: 1, removed: 0 } } },
    ])
    expect(await maru.call(downloadPicture, { noticeId, picture: A })).toMatchObject({ status: 401 })
  })

  test('hides an image before publication and outside the audience', async () => {
    await send(A)
    const memo = `![배치도](image:${A})`
    const { noticeId } = (await write(memo, { publishAt: '2099-01-01 09:00' })).data
    expect(await get(A, noticeId)).toMatchObject({ status: 400, code: 'PICTURE_NOT_FOUND' })
    expect((await get(A, noticeId, kim)).status).toBe(200)
    await edit(noticeId, memo, { publishAt: '', audienceRoles: ['hr'] })
    expect(await get(A, noticeId)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    expect((await get(A, noticeId, manager)).status).toBe(200)
    expect(await get(B, noticeId, manager)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    expect(await get(A, '999999')).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    for (const picture of ['', 'AAAAAAAAAA', '../../../etc', 'a'])
      expect(await get(picture, noticeId)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
  })

  test('is deleted with the edit that drops it or with its notice, and otherwise kept', async () => {
    await send(A)
    await send(B)
    await attachedTo(`![가](image:${A}) ![나](image:${B})`)
    async function attachedTo(memo: string) {
      const { noticeId } = (await write(memo)).data
      await attach(maru, kim, noticeId, '첨부.txt', '첨부')
      expect(await edit(noticeId, `![나](image:${B}) 새 글`, {}, manager)).toMatchObject({ status: 200 })
      expect(await picturesOf(noticeId)).toMatchObject([{ picture: B }])
      expect(await get(A, noticeId)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
      // The attached file is another matter.
      const [file] = await filesOf(maru, kim, noticeId)
      expect(file).toMatchObject({ fileName: '첨부.txt' })
      // A plain text keeps it: it may become Markdown again.
      await edit(noticeId, `![나](image:${B})`, { memoFormat: 'plain' })
      await edit(noticeId, `![나](image:${B})`)
      expect((await get(B, noticeId)).bytes).toEqual(PNG)
      // A deleted image cannot be restored by its name alone.
      expect(await edit(noticeId, `![가](image:${A})`)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
      expect(await picturesOf(noticeId)).toMatchObject([{ picture: B }])
      await maru.call(deleteNotice, { noticeId }, kim)
    }
    expect(await query('select id from notice_files')).toEqual([])
    expect(await query('select original_name from discarded_files')).toHaveLength(3)
  })

  test('saves nothing for a missing, foreign or unfinished image', async () => {
    await send(A, manager)
    const { data } = await maru.call(beginUpload, { fileName: 'b.png', fileSize: 99, picture: B }, kim)
    for (const name of [A, B, 'cccccccccc']) {
      expect(await write(`![x](image:${name})`)).toMatchObject({ status: 400, code: 'PICTURE_NOT_FOUND' })
      expect(await get(name, undefined, kim)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    }
    const { noticeId } = (await write(`![x](image:${A})`, {}, manager)).data
    expect(await write(`![x](image:${A})`)).toMatchObject({ code: 'PICTURE_NOT_FOUND' })
    expect(await edit(noticeId, 'x')).toMatchObject({ status: 403 })
    expect(await maru.call(finishUpload, data, kim)).toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
    expect(await query('select id from notices')).toHaveLength(1)
    // Nor is it anybody's attached file.
    const picture = await send(B)
    expect(await write('', { uploadId: picture })).toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    // A plain text may say anything.
    const plain = await write('docker pull image:cccccccccc', { memoFormat: 'plain' })
    expect(plain.status).toBe(200)
    expect(await picturesOf(plain.data.noticeId)).toEqual([])
  })

  test('accepts PNG, JPEG, GIF or WebP by first bytes, up to 10 MB and 50 million pixels', async () => {
    const begin = (fileSize: number) =>
      maru.call(beginUpload, { fileName: 'a.png', fileSize, picture: A }, kim)
    expect(await begin(MAX_PICTURE_BYTES + 1)).toMatchObject({ status: 413, code: 'PICTURE_TOO_LARGE' })
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>')
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const cases: [string, Buffer][] = [
      ['a.svg', svg],
      ['a.png', svg],
      ['a.gif', html],
      ['a.png', PNG.subarray(0, 20)],
      ['a.png', pngOf(0, 3)],
      ['a.gif', gifOf(65_000, 1_000)],
      ['a.avif', Buffer.from('\0\0\0 ftypavif')],
      ['a.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0])],
    ]
    for (const [fileName, content] of cases) {
      const { data } = await maru.call(beginUpload, { fileName, fileSize: content.length, picture: A }, kim)
      await askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, content)
      expect(await maru.call(finishUpload, data, kim), fileName).toMatchObject({ code: 'PICTURE_REFUSED' })
    }
    expect(await query('select id from uploads where finished_at is null')).toEqual([])
    const { data } = await begin(0)
    expect(await maru.call(finishUpload, data, kim)).toMatchObject({ code: 'PICTURE_REFUSED' })
  })

  test.each([
    ['png', pngOf(4, 3), 4, 3],
    ['gif', gifOf(640, 480), 640, 480],
    ['webp, lossy', webpOf('VP8 ', 800, 600), 800, 600],
    ['webp, lossless', webpOf('VP8L', 1000, 16_384), 1000, 16_384],
    ['webp, extended', webpOf('VP8X', 20_000, 2), 20_000, 2],
    ['jpeg', jpegOf(4032, 3024), 4032, 3024],
    ['jpeg held upright', jpegOf(4032, 3024, 6), 3024, 4032],
    ['jpeg of another byte order', jpegOf(4032, 3024, 8, 'II'), 3024, 4032],
    ['jpeg upside down', jpegOf(4032, 3024, 3, 'II'), 4032, 3024],
  ])('says by its first bytes how large it is shown: %s', (_, head, width, height) => {
    expect(sizeOfPicture(head)).toEqual({ width, height })
    // A truncated header returns a result and throws no error.
    for (let length = 0; length < Math.min(head.length, 400); length += 1)
      expect(() => sizeOfPicture(head.subarray(0, length))).not.toThrow()
  })

  test('limits images to 30 per notice, counts them apart and expires them after a day', async () => {
    const names = Array.from({ length: 31 }, (_, n) => `picture${String(n).padStart(3, '0')}`)
    for (const name of names) await send(name)
    expect(await write(memoOf(names))).toMatchObject({ status: 400, code: 'PICTURES_TOO_MANY' })
    const { status, data } = await write(memoOf(names.slice(1)))
    expect(status).toBe(200)
    expect(await picturesOf(data.noticeId)).toHaveLength(30)
    // The one that was left over.
    await query(`update uploads set created_at = now() - interval '24 hours' where finished_at is null`)
    expect(await sweep()).toMatchObject({ removed: 1 })
    // Pending images have a limit of their own: three, in addition to three files.
    for (const picture of [A, B, 'cccccccccc']) {
      expect((await beginAny({ picture })).status).toBe(200)
      expect((await beginAny({})).status).toBe(200)
    }
    expect(await beginAny({ picture: A })).toMatchObject({ code: 'UPLOADS_OPEN' })
    expect(await beginAny({})).toMatchObject({ code: 'UPLOADS_OPEN' })
    // Pending uploads of any purpose count toward their user's quota (rules/files#room).
    await query(
      `update uploads set size_bytes = 5368709119, touched_at = now() - interval '2 hours' where finished_at is null`,
    )
    expect(await beginAny({ picture: A })).toMatchObject({ code: 'UPLOADS_FULL' })
  })

  test('replaces the earlier one under its name, and answers a second finish alike', async () => {
    await send(A, kim, pngOf(9, 9))
    const later = await send(A)
    const { noticeId } = (await write(`![가](image:${A}) ![같은 그림](image:${A})`)).data
    expect(await picturesOf(noticeId)).toEqual([{ picture: A, width: 4, height: 3 }])
    expect((await maru.call(finishUpload, { uploadId: later }, kim)).data).toEqual({ fileId: later })
  })

  test('is found by its words, not by its name, nor as a file of the notice (rules/notices#notice-search)', async () => {
    await send(A)
    await write(`![비상구 안내도](image:${A})`)
    await send(A)
    await write(`![비상구 안내도](image:${A})${'*'.repeat(8_001)}`)
    expect(await countOf('비상구 안내도')).toBe(2)
    for (const words of [A, 'image:', '배치도.png']) expect(await countOf(words), words).toBe(0)
  })

  test('reports a missing image like any missing file of a notice (rules/files#file-sweep)', async () => {
    await send(A)
    const { noticeId } = (await write(`![가](image:${A})`)).data
    const [file] = await query('select save_path as path, save_file_name as name from notice_files')
    await maru.services.storage.remove(file as { path: string; name: string })
    expect(await get(A, noticeId)).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
    expect(await sweep()).toMatchObject({ missing: 1 })
  })

  test('is of a type that may be attached, and clean, as any file (rules/files#file-types, rules/files#scan)', async () => {
    maru.services.config.fileTypes = { allowed: ['pdf', 'png'], refused: [] }
    try {
      const begin = (fileName: string) => maru.call(beginUpload, { fileName, fileSize: 9, picture: A }, kim)
      expect(await begin('a.gif')).toMatchObject({ code: 'FILE_TYPE_REFUSED' })
      const { data } = await maru.call(beginUpload, { fileName: 'a.png', fileSize: 10, picture: A }, kim)
      await askTus(maru, kim, 'PATCH', data.uploadId, { 'Upload-Offset': '0' }, gifOf(2, 2))
      expect(await maru.call(finishUpload, data, kim)).toMatchObject({ code: 'FILE_CONTENT_REFUSED' })
    } finally {
      maru.services.config.fileTypes = { allowed: [], refused: [] }
    }
  })
})
