import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { API_BASE, SESSION_HEADER } from '../../../contract/envelope.ts'
import {
  beginUpload,
  cancelUpload,
  deleteFile,
  deleteNotice,
  downloadFile,
  listNotices,
  uploadFile,
  UPLOADS_PATH,
} from '../../../contract/notices.ts'
import { wireNames } from '../../../contract/wire.ts'
import { createApp } from '../../app.ts'
import { createLog } from '../../log.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  keptFiles,
  sendForm,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { storageAnswer } from './upload-space.ts'

const LIMIT = 256 * 1024
const maru = useMaru({}, { maxFileBytes: LIMIT, maxStallMs: 1_500 })
let kim: TestUser
let lee: TestUser
let manager: TestUser

beforeAll(async () => {
  kim = await maru.createUser({ name: '김작성' })
  lee = await maru.createUser({ name: '이다른' })
  manager = await maru.createUser({ name: '박관리', role: 'hr' })
})

const kept = () => keptFiles(maru)

const begin = async (by: TestUser, fileSize = 10) =>
  maru.call(beginUpload, { noticeId: await writeNotice(maru, by), fileName: '자료.zip', fileSize }, by)

const { toWire } = wireNames(uploadFile)
const part = (field: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${toWire(field)}"\r\n\r\n${value}\r\n`

/** The beginning of an upload by form, the first bytes of its file included. */
const beginningOfForm = (notice: string) =>
  `POST ${API_BASE}${uploadFile.path} HTTP/1.1\r\nHost: maru\r\nSessionId: ${kim.session}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 200000\r\n\r\n${part('noticeId', notice)}${part('fileName', 'a')}--b\r\nContent-Disposition: form-data; name="${toWire('file')}"; filename="a"\r\n\r\n${'x'.repeat(70_000)}`

const everything = { uploadHours: 0, discardedDays: 0, orphanHours: 0 }
const sweep = () => sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, everything)
const count = async (table: string) =>
  (await maru.database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n as number

const download = (key: { storedPath: string; storedName: string }) =>
  maru.call(downloadFile, { storedPath: key.storedPath, storedName: key.storedName }, kim)

afterEach(async () => {
  await maru.database.pool.query('delete from notices')
  await sweep()
  // After the sweep every test must leave nothing behind.
  expect(await kept()).toEqual([])
  expect([await count('uploads where finished_at is null'), await count('discarded_files')]).toEqual([0, 0])
  expect(maru.log.filter((line) => line.level >= 50)).toEqual([])
})

describe('an upload by form (rules/files#upload-by-form)', () => {
  test('attaches the file to the notice, keeps its bytes and logs it', async () => {
    const notice = await writeNotice(maru, kim)
    const content = Buffer.from('파일 내용\0\xff'.repeat(1000), 'latin1')
    expect(await attach(maru, kim, notice, '점검 계획.pdf', content)).toMatchObject({ status: 200 })
    const [file] = await filesOf(maru, lee, notice)
    expect(file).toMatchObject({ fileName: '점검 계획.pdf' })
    expect(file?.storedName).not.toContain('점검')
    const answer = await download(file!)
    expect(Buffer.byteLength(answer.raw)).toBeGreaterThan(0)
    expect(answer.headers['content-length']).toBe(String(content.length))
    const { rows } = await maru.database.pool.query(
      `select actor_id, detail->>'name' as name from audit_log where action = 'file.upload' and target = $1`,
      [file?.fileId],
    )
    expect(rows).toEqual([{ actor_id: kim.id, name: '점검 계획.pdf' }])
  })

  test.each([
    ['a plain string', '안내.txt', '안내.txt'],
    ['a JSON array with one', '["안내.txt"]', '안내.txt'],
    ['a name in brackets, which is no JSON', '[안내] 점검.txt', '[안내] 점검.txt'],
    ['Korean in parts, as macOS sends it', '점검.txt'.normalize('NFD'), '점검.txt'],
    ['a long Korean name', `${'가'.repeat(251)}.txt`, `${'가'.repeat(251)}.txt`],
  ])('takes %s as the file name', async (_, sent, name) => {
    const notice = await writeNotice(maru, kim)
    expect(await attach(maru, kim, notice, sent, 'x')).toMatchObject({ status: 200 })
    expect((await filesOf(maru, kim, notice))[0]?.fileName).toBe(name)
  })

  test.each([
    ['a path', '../../etc/passwd'],
    ['a path of Windows', 'C:\\fakepath\\a.txt'],
    ['a control character', 'a\u0007.txt'],
    ['a turned direction of writing', 'a\u202efdp.exe'],
    ['two dots', '..'],
    ['nothing', ' '],
    ['a name of 256 letters', '가'.repeat(256)],
    ['a letter with 31 marks', `${'a\u0301'.padEnd(32, '\u0327')}.txt`],
    ['two names', '["a.txt","b.txt"]/'],
  ])('refuses a name that is %s and leaves no bytes', async (_, name) => {
    const notice = await writeNotice(maru, kim)
    const answer = await attach(maru, kim, notice, name, 'x'.repeat(10_000))
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'fileName' })
    expect([await kept(), await count('uploads')]).toEqual([[], await count('uploads')])
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })

  test('is attached if the server began to stop meanwhile (rules/running#stop)', async () => {
    let isDraining = false
    const { database, services } = maru
    const logger = createLog('silent')
    const app = await createApp({ database, services, logger, isDraining: () => isDraining })
    onTestFinished(() => app.close())
    const notice = await writeNotice(maru, kim)
    const { hostname, port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), hostname)
    const [headers = ''] = beginningOfForm(notice).split('\r\n\r\n', 1)
    socket.write(beginningOfForm(notice))
    await expect.poll(() => count('uploads where finished_at is null and held_by is not null')).toBe(1)
    isDraining = true
    const end = '\r\n--b--\r\n'
    const sent = beginningOfForm(notice).length - headers.length - 4
    socket.write(`${'x'.repeat(200_000 - sent - end.length)}${end}`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /)
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)
  })

  test('may be an empty file', async () => {
    const notice = await writeNotice(maru, kim)
    expect(await attach(maru, kim, notice, '빈 파일.txt', '')).toMatchObject({ status: 200 })
    const [file] = await filesOf(maru, kim, notice)
    expect((await download(file!)).headers['content-length']).toBe('0')
  })

  test('accepts a file of the maximum size; one byte more is 413 and leaves nothing (rules/files#file-size)', async () => {
    const notice = await writeNotice(maru, kim)
    const answer = await attach(maru, kim, notice, '큰 파일.bin', Buffer.alloc(LIMIT + 1))
    expect(answer).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' })
    expect(await kept()).toEqual([])
    expect(await attach(maru, kim, notice, '큰 파일.bin', Buffer.alloc(LIMIT))).toMatchObject({ status: 200 })
  })

  const file: readonly [string, Blob] = ['file', new Blob(['x'.repeat(100_000)])]
  const named: readonly [string, string] = ['fileName', '안내.txt']
  test.each([
    ['the file before the number', (id: readonly [string, string]) => [file, id, named]],
    ['a field after the file', (id: readonly [string, string]) => [id, file, named]],
    [
      'a second file',
      (id: readonly [string, string]) => [id, named, file, ['FILE_1', new Blob(['y'])] as const],
    ],
    ['the same file twice', (id: readonly [string, string]) => [id, named, file, file]],
    ['a field twice', (id: readonly [string, string]) => [id, id, named, file]],
    [
      'a file under another name',
      (id: readonly [string, string]) => [id, named, ['FILE', new Blob(['y'])] as const],
    ],
    [
      'a field that is not known',
      (id: readonly [string, string]) => [id, named, ['PATH', '/etc'] as const, file],
    ],
    ['a field without a name', (id: readonly [string, string]) => [id, named, ['', 'x'] as const, file]],
    ['no file', (id: readonly [string, string]) => [id, named]],
    ['nothing', () => []],
  ])('answers INPUT_INVALID to %s and leaves no bytes', async (_, partsOf) => {
    const notice = await writeNotice(maru, kim)
    const answer = await sendForm(maru, kim, partsOf(['noticeId', notice]))
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    expect(answer.msg).toMatch(/\p{Script=Hangul}/u)
    expect(await kept()).toEqual([])
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })

  test.each([
    ['breaks', (socket: ReturnType<typeof connect>) => socket.destroy()],
    ['stands still', () => {}],
  ])('leaves no bytes after a connection that %s', async (_, then) => {
    const notice = await writeNotice(maru, kim)
    const { hostname, port } = new URL(await addressOfMaru(maru))
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write(beginningOfForm(notice))
    await expect.poll(() => count('uploads where finished_at is null')).toBe(1)
    // A bucket takes parts of 8 MiB, so these few bytes are still in memory there.
    if (maru.bucket === undefined) await expect.poll(kept).toHaveLength(1)
    const closed = once(socket, 'close')
    then(socket)
    await expect.poll(() => count('uploads where finished_at is null')).toBe(0)
    expect(await kept()).toEqual([])
    await closed
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })
})

describe('attaching a file (rules/notices#who-edits-notices)', () => {
  test('is for the author and those who manage notices', async () => {
    const notice = await writeNotice(maru, kim)
    expect(await attach(maru, lee, notice, 'a.txt', 'x')).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(
      await sendForm(maru, null, [
        ['noticeId', notice],
        ['fileName', 'a.txt'],
        ['file', new Blob(['x'])],
      ]),
    ).toMatchObject({ status: 401, code: 'SESSION_REQUIRED' })
    expect(await kept()).toEqual([])
    expect(await attach(maru, manager, notice, 'a.txt', 'x')).toMatchObject({ status: 200 })
  })

  test('answers NOTICE_NOT_FOUND for an unknown notice', async () => {
    expect(await attach(maru, kim, '999999', 'a.txt', 'x')).toMatchObject({
      status: 400,
      code: 'NOTICE_NOT_FOUND',
    })
  })

  test('is refused when there is a file already, even for two at the same time (rules/files#one-file)', async () => {
    const notice = await writeNotice(maru, kim)
    // A fourth could be one too many of the same person.
    const answers = await Promise.all(
      Array.from({ length: 3 }, (_, index) => attach(maru, kim, notice, `${index}.txt`, 'x'.repeat(50_000))),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    for (const { status, code } of answers)
      expect(code).toBe(status === 200 ? undefined : 'FILE_ALREADY_ATTACHED')
    expect(await filesOf(maru, kim, notice)).toHaveLength(1)
    expect(await kept()).toHaveLength(1)
  })
})

describe('the room for files (rules/files#room)', () => {
  const GB = 1024 ** 3

  test('lets a person have three uploads open, however many begin at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => begin(kim)))
    expect(answers.map(({ code }) => code ?? 'begun').toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'UPLOADS_OPEN'),
      ...Array.from({ length: 3 }, () => 'begun'),
    ])
    expect((await begin(lee)).status).toBe(200)
    const notice = await writeNotice(maru, kim)
    expect(await attach(maru, kim, notice, '셋째 뒤.txt', 'x')).toMatchObject({
      status: 400,
      code: 'UPLOADS_OPEN',
    })
    const { uploadId } = answers.find(({ status }) => status === 200)!.data
    await maru.call(cancelUpload, { uploadId }, kim)
    expect((await begin(kim)).status).toBe(200)
  })

  test('allows 5 GB of pending and deleted files per user and refuses more up front', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '지울 것.txt', 'x')
    await maru.call(deleteNotice, { noticeId: notice }, kim)
    await maru.database.pool.query('update discarded_files set size_bytes = $1', [5 * GB - 9])
    expect(await begin(kim, 10)).toMatchObject({ status: 400, code: 'UPLOADS_FULL' })
    expect((await begin(kim, 9)).status).toBe(200)
    expect((await begin(lee, 10)).status).toBe(200)
    // The sweep forgets who sent what is still kept no sooner than the bytes.
    await maru.database.pool.query(
      `update uploads set finished_at = now() - interval '2 days' where finished_at is not null`,
    )
    await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)
    expect((await begin(kim, 1)).code).toBe('UPLOADS_FULL')
  })

  test('is kept free on the disk: an upload that needs it is STORAGE_FULL up front', async () => {
    const { storage } = maru.services
    expect(await storage.room()).toBeGreaterThan(0)
    const { data } = await begin(kim, 10)
    vi.spyOn(storage, 'room').mockResolvedValue(9)
    expect(await begin(kim, 10)).toMatchObject({ status: 400, code: 'STORAGE_FULL' })
    const headers = { [SESSION_HEADER]: kim.session, 'tus-resumable': '1.0.0', 'upload-offset': '0' }
    const sent = await maru.app.inject({
      method: 'PATCH',
      url: `${API_BASE}${UPLOADS_PATH}/${data.uploadId}`,
      headers: { ...headers, 'content-type': 'application/offset+octet-stream' },
      payload: '0123456789',
    })
    expect([sent.statusCode, sent.json().code]).toEqual([400, 'STORAGE_FULL'])
    vi.restoreAllMocks()
    expect((await begin(kim, 10)).status).toBe(200)
  })

  test('is given out once: what is still to come of other uploads counts as taken', async () => {
    const { pool } = maru.database
    const room = (bytes: number) => vi.spyOn(maru.services.storage, 'room').mockResolvedValue(bytes)
    room(25)
    const answers = await Promise.all([begin(kim, 20), begin(lee, 20)])
    expect(answers.map(({ code }) => code ?? 'begun').toSorted()).toEqual(['STORAGE_FULL', 'begun'])
    const [by, other] = answers[0].status === 200 ? [kim, lee] : [lee, kim]
    const uploadId = answers.find(({ status }) => status === 200)?.data.uploadId ?? ''
    const headers = { 'Upload-Offset': '0' }
    const body = Buffer.from('fifteen of 20 B')
    expect((await askTus(maru, by, 'PATCH', uploadId, headers, body)).status).toBe(204)
    // Those are no longer free, and no longer to come. A bucket keeps whole parts alone.
    const arrived = Number((await askTus(maru, by, 'HEAD', uploadId)).headers.get('Upload-Offset'))
    room(25 - arrived)
    expect((await begin(other, 6)).code).toBe('STORAGE_FULL')
    expect((await begin(other, 5)).status).toBe(200)

    // Given up, or left alone for an hour: nothing is to come any more.
    await maru.call(cancelUpload, { uploadId }, by)
    room(10)
    expect((await begin(other, 6)).code).toBe('STORAGE_FULL')
    await pool.query(`update uploads set touched_at = now() - interval '61 minutes' where not cancelled`)
    expect((await begin(other, 6)).status).toBe(200)
    vi.restoreAllMocks()
  })

  test('is kept for uploads by form too: as much as they say, or the largest file', async () => {
    const { pool } = maru.database
    const room = (bytes: number) => vi.spyOn(maru.services.storage, 'room').mockResolvedValue(bytes)
    const notice = await writeNotice(maru, kim)
    room(100)
    expect((await attach(maru, kim, notice, '큰 것.txt', 'x'.repeat(100))).code).toBe('STORAGE_FULL')
    room(10_000)
    expect(await attach(maru, kim, notice, '작은 것.txt', 'x'.repeat(100))).toMatchObject({ status: 200 })
    const { rows } = await pool.query(
      `select expected_bytes::int as bytes from uploads where size_bytes is null`,
    )
    expect(rows[0].bytes).toBeGreaterThan(100)
    expect(rows[0].bytes).toBeLessThan(2000)

    // As while its bytes come.
    await begin(kim, 1)
    await pool.query(`update uploads set size_bytes = null, expected_bytes = 9000 where finished_at is null`)
    expect((await begin(lee, 1001)).code).toBe('STORAGE_FULL')
    expect((await begin(lee, 1000)).status).toBe(200)
    await pool.query(`update uploads set size_bytes = null, expected_bytes = null where finished_at is null`)
    room(2 * LIMIT)
    expect((await begin(lee, 1)).code).toBe('STORAGE_FULL')
    room(2 * LIMIT + 1)
    expect((await begin(lee, 1)).status).toBe(200)
    vi.restoreAllMocks()
  })

  test('blocks no other call while the storage is slow and keeps nothing refused', async () => {
    const room = Promise.withResolvers<number>()
    const asked = vi.spyOn(maru.services.storage, 'room').mockReturnValue(room.promise)
    const { pool } = maru.database
    // More than there are connections, and than have their turn at once.
    const begun = [kim, lee, manager].flatMap((person) => [
      begin(person),
      begin(person),
      writeNotice(maru, person).then((notice) => attach(maru, person, notice, '셋째.txt', 'x')),
    ])
    expect(begun.length).toBeGreaterThan(pool.options.max)
    await expect.poll(() => asked.mock.calls.length).toBe(begun.length)
    await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
    expect((await maru.call(listNotices, { page: 1, perPage: 4 }, kim)).status).toBe(200)
    room.resolve(0)
    const answers = await Promise.all(begun)
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['STORAGE_FULL']))
    expect([await count('uploads where finished_at is null'), await kept()]).toEqual([0, []])
    vi.restoreAllMocks()

    const never = new Promise<number>(() => {})
    await expect(storageAnswer(never, 1)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('stays kept for an upload by form as long as its bytes come', async () => {
    const notice = await writeNotice(maru, kim)
    const { hostname, port } = new URL(await addressOfMaru(maru))
    const socket = connect(Number(port), hostname)
    const closed = once(socket, 'close')
    socket.write(beginningOfForm(notice))
    const open = 'uploads where finished_at is null'
    // Wait for the lease, too: acquiring it updates `touched_at`.
    await expect.poll(() => count(`${open} and held_by is not null`)).toBe(1)
    await maru.database.pool.query(`update uploads set touched_at = now() - interval '61 minutes'`)
    expect(await count(`${open} and touched_at > now() - interval '1 hour'`)).toBe(0)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    // Not so far that a bucket would take the calls for old ones.
    const end = Date.now() + 5 * 60_000
    const sending = setInterval(() => {
      if (Date.now() < end) vi.setSystemTime(Date.now() + 60_000)
      socket.write('x'.repeat(100))
    }, 20)
    onTestFinished(() => {
      vi.useRealTimers()
      clearInterval(sending)
    })
    await expect.poll(() => count(`${open} and touched_at > now() - interval '1 minute'`)).toBe(1)
    socket.destroy()
    await closed
    await expect.poll(() => count(open)).toBe(0)
  })
})

describe('replacing and deleting a file (rules/files#replace, rules/files#delete-file, design/uploads-and-files#rows-before-bytes)', () => {
  test('replaces the file named by replacesFileId and sweeps its bytes later', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', '옛 내용')
    const [old] = await filesOf(maru, kim, notice)
    expect(await attach(maru, kim, notice, '새.txt', '새 내용', old?.fileId)).toMatchObject({ status: 200 })
    expect((await filesOf(maru, kim, notice)).map((file) => file.fileName)).toEqual(['새.txt'])
    expect(await download(old!)).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
    expect(await kept()).toHaveLength(2)
    expect(await sweep()).toEqual({ removed: 1, missing: 0 })
    expect(await kept()).toEqual([(await filesOf(maru, kim, notice))[0]?.storedName])
  })

  test('leaves the old file as it was when the upload fails', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', '옛 내용')
    const [old] = await filesOf(maru, kim, notice)
    const answer = await attach(maru, kim, notice, '새.txt', Buffer.alloc(LIMIT + 1), old?.fileId)
    expect(answer.code).toBe('FILE_TOO_LARGE')
    expect(await filesOf(maru, kim, notice)).toEqual([old])
    expect((await download(old!)).raw).toBe('옛 내용')
  })

  test('replaces only the file that is attached', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', 'x')
    for (const id of ['00000000-0000-4000-8000-000000000000', 'none']) {
      expect(await attach(maru, kim, notice, '새.txt', 'y', id)).toMatchObject({
        code: 'FILE_ALREADY_ATTACHED',
      })
    }
  })

  test('deletes a file immediately, keeps its bytes for 7 days and allows a new upload', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', '옛 내용')
    const [old] = await filesOf(maru, kim, notice)
    const input = {
      noticeId: notice,
      fileId: old!.fileId,
      storedName: old!.storedName,
      storedPath: old!.storedPath,
    }
    expect(await maru.call(deleteFile, input, lee)).toMatchObject({ status: 403 })
    expect(await maru.call(deleteFile, { ...input, fileId: 'x' }, kim)).toMatchObject({
      code: 'FILE_NOT_FOUND',
    })
    expect(await maru.call(deleteFile, input, kim)).toMatchObject({ status: 200 })
    expect(await maru.call(deleteFile, input, kim)).toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(await download(old!)).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })

    await maru.database.pool.query(
      `update discarded_files set discarded_at = now() - interval '6 days 23 hours'`,
    )
    await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)
    expect(await kept()).toHaveLength(1)
    // As docs/operations.md says: an operator brings it back.
    await maru.database.pool.query(
      `with back as (delete from discarded_files where id = $1
         returning id, notice_id, save_path, save_file_name, original_name, size_bytes, created_at)
       insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes, created_at)
       select * from back`,
      [old!.fileId],
    )
    expect((await download(old!)).raw).toBe('옛 내용')

    await maru.call(deleteFile, input, kim)
    await maru.database.pool.query(`update discarded_files set discarded_at = now() - interval '7 days'`)
    expect(await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)).toMatchObject({
      removed: 1,
    })
    expect(await kept()).toEqual([])
  })

  test('removes the file along with its notice', async () => {
    const notice = await writeNotice(maru, kim)
    await attach(maru, kim, notice, '옛.txt', 'x')
    const [old] = await filesOf(maru, kim, notice)
    await maru.call(deleteNotice, { noticeId: notice }, kim)
    expect(await download(old!)).toMatchObject({ code: 'FILE_NOT_FOUND' })
    expect(await count('discarded_files')).toBe(1)
  })
})
