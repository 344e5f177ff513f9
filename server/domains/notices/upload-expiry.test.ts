import { connect } from 'node:net'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { API_BASE } from '../../../contract/envelope.ts'
import {
  beginUpload,
  cancelUpload,
  deleteNotice,
  downloadFile,
  finishUpload,
  linkFile,
  listNotices,
  uploadFile,
  UPLOADS_PATH,
} from '../../../contract/notices.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { wireNames } from '../../../contract/wire.ts'
import { sweepFiles } from '../../services/storage/sweep.ts'
import {
  addressOfMaru,
  askTus,
  attach,
  filesOf,
  keptFiles,
  writeNotice,
} from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { sealInput } from '../../../dev/test-kit/seal.ts'

/*
 * Events that end a pending upload, and calls that wait for an upload whose storage is slow
 * (design/uploads-and-files#upload-lease).
 */
const maru = useMaru()
/** It cuts soon who takes nothing. */
const hasty = useMaru({}, { maxStallMs: 1_000 })
let kim: TestUser
let manager: TestUser

beforeAll(async () => {
  kim = await maru.createUser()
  manager = await maru.createUser({ role: 'hr' })
  await addressOfMaru(maru)
})

const sql = (text: string, ...values: unknown[]) => maru.database.pool.query(text, values)
const kept = () => keptFiles(maru)
const open = async () => (await sql('select id from uploads where finished_at is null')).rowCount

afterEach(async () => {
  vi.restoreAllMocks()
  await sql('delete from notices')
  const everything = { uploadHours: 0, discardedDays: 0, orphanHours: 0 }
  await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log, everything)
  expect([await kept(), maru.log.filter(({ level }) => level >= 50)]).toEqual([[], []])
})

/** An upload whose bytes go on coming, one at a time, until it is answered or cut. */
interface Dripping {
  by: TestUser
  notice: string
  /** The code it is answered with. */
  answer: Promise<string>
}

const { toWire } = wireNames(uploadFile)
const part = (field: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${toWire(field)}"\r\n\r\n${value}\r\n`

async function drip(way: 'form' | 'tus', by: TestUser, notice: string): Promise<Dripping> {
  const head = 'Content-Length: 200000\r\n'
  const tus = `Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n${head}\r\n`
  const form = `Content-Type: multipart/form-data; boundary=b\r\n${head}\r\n${part('noticeId', notice)}${part('fileName', 'a')}--b\r\nContent-Disposition: form-data; name="${toWire('file')}"; filename="a"\r\n\r\n`
  const of = `Host: maru\r\nSessionId: ${by.session}\r\n`
  let request = `POST ${API_BASE}${uploadFile.path} HTTP/1.1\r\n${of}${form}`
  if (way === 'tus') {
    const { data } = await maru.call(beginUpload, { noticeId: notice, fileName: 'a', fileSize: 200_000 }, by)
    request = `PATCH ${API_BASE}${UPLOADS_PATH}/${data.uploadId} HTTP/1.1\r\n${of}${tus}`
  }
  const { hostname, port } = new URL(await addressOfMaru(maru))
  const socket = connect(Number(port), hostname).on('error', () => {})
  socket.write(`${request}${'x'.repeat(70_000)}`)
  const sending = setInterval(() => socket.write('x'), 100)
  onTestFinished(() => void socket.destroy())
  const answer = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      const [, code] = /"code":"(\w+)"/.exec(text) ?? []
      if (code !== undefined) resolve(code)
    })
    socket.on('close', () => (clearInterval(sending), resolve('cut')))
  })
  const held = `select 1 from uploads where notice_id = $1 and (held_by is not null or size_bytes is null)`
  await expect.poll(async () => (await sql(held, notice)).rowCount).toBe(1)
  return { by, notice, answer }
}

/** Dripping uploads by both ways, each of a new person to a new notice, and what becomes of them. */
async function dripBoth(by: () => Promise<TestUser>, of?: TestUser): Promise<Dripping[]> {
  return Promise.all(
    (['form', 'tus'] as const).map(async (way) => {
      const person = await by()
      return drip(way, person, await writeNotice(maru, of ?? person))
    }),
  )
}
const codes = (uploads: Dripping[]) => Promise.all(uploads.map(({ answer }) => answer))
const twice = (code: string) => [code, code]

describe('an upload whose bytes go on coming ends (rules/files#upload-ends)', () => {
  const endings: [string, (by: TestUser) => Promise<unknown>][] = [
    ['the logout', (by) => sql('delete from sessions where user_id = $1', by.id)],
    ['the withdrawal', (by) => sql('update users set withdrawn_at = now() where id = $1', by.id)],
    ['the suspension', (by) => sql('update users set suspended_at = now() where id = $1', by.id)],
    ['the end of validity', (by) => sql(`update users set valid_to = current_date - 2 where id = $1`, by.id)],
  ]
  test('ends with the logout, withdrawal, suspension and end of validity of its user', async () => {
    await Promise.all(
      endings.map(async ([what, end]) => {
        const uploads = await dripBoth(() => maru.createUser())
        for (const { by } of uploads) await end(by)
        expect.soft([what, ...(await codes(uploads))]).toEqual([what, ...twice('SESSION_REQUIRED')])
      }),
    )
    // An upload by tus can continue in a new session of its user, until it expires; an upload by form is gone.
    await expect
      .poll(async () => (await sql('select 1 from uploads where held_by is not null')).rowCount)
      .toBe(0)
    expect(await open()).toBe(endings.length)
    await sql(`update uploads set created_at = created_at - interval '24 hours'`)
    await sweepFiles(maru.database.pool, maru.services.storage, maru.app.log)
    expect([await open(), await kept()]).toEqual([0, []])
  })

  test('ends with its notice, the permission to write it, or after a day, without bytes', async () => {
    const deleted = await dripBoth(() => Promise.resolve(kim))
    const others = await dripBoth(() => maru.createUser({ role: 'hr' }), kim)
    const late = await dripBoth(() => maru.createUser())
    for (const { notice } of deleted) await maru.call(deleteNotice, { noticeId: notice }, manager)
    for (const { by } of others) await sql(`update users set role_code = $2 where id = $1`, by.id, ROLE.user)
    for (const { by } of late)
      await sql(`update uploads set created_at = now() - interval '24 hours' where user_id = $1`, by.id)
    expect(await codes(deleted)).toEqual(twice('NOTICE_NOT_FOUND'))
    expect(await codes(others)).toEqual(twice('FORBIDDEN'))
    expect(await codes(late)).toEqual(twice('UPLOAD_EXPIRED'))
    await expect.poll(open).toBe(0)
    expect(await kept()).toEqual([])
  })

  test('ends before its next byte if that comes after its notice or its day', async () => {
    const notices = [await writeNotice(maru, kim), await writeNotice(maru, kim)]
    const ids = await Promise.all(
      notices.map(async (notice) => {
        const input = { noticeId: notice, fileName: 'a', fileSize: 6 }
        const { uploadId } = (await maru.call(beginUpload, input, kim)).data
        await askTus(maru, kim, 'PATCH', uploadId, { 'Upload-Offset': '0' }, Buffer.from('abc'))
        return uploadId
      }),
    )
    await maru.call(deleteNotice, { noticeId: notices[0]! }, manager)
    await sql(`update uploads set created_at = now() - interval '24 hours' where id = $1`, ids[1])
    for (const [index, code] of ['NOTICE_NOT_FOUND', 'UPLOAD_EXPIRED'].entries()) {
      const next = await askTus(maru, kim, 'PATCH', ids[index]!, { 'Upload-Offset': '3' }, Buffer.from('def'))
      expect([next.status, await next.json()]).toMatchObject([400, { code }])
    }
    expect([await open(), await kept()]).toEqual([0, []])
  })
})

describe('before a file is attached (rules/files#upload-ends)', () => {
  test.each(['form', 'tus'])('checks the user once more, by %s', async (way) => {
    const person = await maru.createUser()
    const notice = await writeNotice(maru, person)
    const { storage } = maru.services
    const finishStored = storage.finish.bind(storage)
    vi.spyOn(storage, 'finish').mockImplementationOnce(async (file) => {
      const stored = await finishStored(file)
      await sql('delete from sessions where user_id = $1', person.id)
      return stored
    })
    if (way === 'form') {
      expect(await attach(maru, person, notice, 'a.txt', 'abc')).toMatchObject({ code: 'SESSION_REQUIRED' })
      expect([await open(), await kept()]).toEqual([0, []])
    } else {
      const input = { noticeId: notice, fileName: 'a.txt', fileSize: 3 }
      const { uploadId } = (await maru.call(beginUpload, input, person)).data
      await askTus(maru, person, 'PATCH', uploadId, { 'Upload-Offset': '0' }, Buffer.from('abc'))
      expect((await maru.call(finishUpload, { uploadId }, person)).code).toBe('SESSION_REQUIRED')
      expect(await open()).toBe(1)
    }
    expect(await filesOf(maru, kim, notice)).toEqual([])
  })
})

test('cuts off a reader that takes nothing and frees its file, by call and by link (rules/files#download)', async () => {
  const reader = await hasty.createUser()
  const notice = await writeNotice(hasty, reader)
  // More than the system keeps for a connection.
  await attach(hasty, reader, notice, '큰 것.bin', Buffer.alloc(32 * 1024 * 1024))
  const [file] = await filesOf(hasty, reader, notice)
  const at = { storedPath: file!.storedPath, storedName: file!.storedName }
  const { url } = (await hasty.call(linkFile, at, reader)).data
  const body = sealInput(downloadFile, at)
  const opened = vi.spyOn(hasty.services.storage, 'get')
  const requests = [
    `GET ${url} HTTP/1.1\r\nHost: maru\r\n\r\n`,
    `POST ${API_BASE}${downloadFile.path} HTTP/1.1\r\nHost: maru\r\nSessionId: ${reader.session}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ]
  const { hostname, port } = new URL(await addressOfMaru(hasty))
  const readers = requests.map((request) => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.pause()
    socket.write(request)
    // It is not enough to say something.
    const talking = setInterval(() => socket.write('\r\n'), 100)
    onTestFinished(() => (clearInterval(talking), void socket.destroy()))
    return socket
  })
  await expect.poll(() => opened.mock.results.length).toBe(readers.length)
  const streams = await Promise.all(opened.mock.results.map(async ({ value }) => (await value).stream))
  await expect.poll(() => streams.map(({ destroyed }) => destroyed)).toEqual([true, true])
  expect(streams.map(({ readableEnded }) => readableEnded)).toEqual([false, false])
})

test('delays only the calls that wait for an unresponsive storage (rules/files#room)', async () => {
  const { storage } = maru.services
  const people = await Promise.all([1, 2, 3].map(() => maru.createUser()))
  const notice = await writeNotice(maru, kim)
  await attach(maru, kim, notice, '안내.txt', '내용')
  const [file] = await filesOf(maru, kim, notice)
  const storedAt = { storedPath: file!.storedPath, storedName: file!.storedName }
  const begun = await Promise.all(
    people.flatMap((person) =>
      [0, 0, 0].map(async (fileSize) => {
        const input = { noticeId: await writeNotice(maru, person), fileName: 'a', fileSize }
        return { person, uploadId: (await maru.call(beginUpload, input, person)).data.uploadId }
      }),
    ),
  )
  const hangs = Promise.withResolvers<undefined>()
  const asked = (['received', 'abandon', 'sizeOf'] as const).map((name) =>
    vi.spyOn(storage, name).mockImplementation(() => hangs.promise as Promise<never>),
  )
  const waiting = begun.flatMap(({ person, uploadId }, index) => [
    index % 2 === 0
      ? maru.call(finishUpload, { uploadId }, person)
      : maru.call(cancelUpload, { uploadId }, person),
    maru.call(linkFile, storedAt, person),
  ])
  const count = () => asked.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  await expect.poll(count).toBe(waiting.length)
  expect((await maru.call(listNotices, { page: 1, perPage: 4 }, people[0])).status).toBe(200)
  vi.restoreAllMocks()
  hangs.resolve(undefined)
  await Promise.all(waiting)
})
