import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkPassword, endOtherSessions, login, logout } from '../../../contract/account.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { deleteFile, deleteNotice, downloadFile, linkFile } from '../../../contract/notices.ts'
import { withdrawUser } from '../../../contract/users.ts'
import { attach, filesOf, writeNotice } from '../../../dev/test-kit/files.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* Large downloads by a link that is used once (design/uploads-and-files#downloads). */
const maru = useMaru()
const HERE = '198.51.100.7'
const NAME = '점검 계획.txt'
const TEXT = '0123456789'

let kim: TestUser
let lee: TestUser
let notice: string
let file: Awaited<ReturnType<typeof filesOf>>[number]

beforeAll(async () => {
  kim = await maru.createUser()
})

beforeEach(async () => {
  lee = await maru.createUser()
  notice = await writeNotice(maru, kim)
  await attach(maru, kim, notice, NAME, TEXT)
  file = (await filesOf(maru, kim, notice))[0]!
})

async function linkOf(by: Pick<TestUser, 'session'>): Promise<string> {
  const { storedName, storedPath } = file
  return (await maru.call(linkFile, { storedName, storedPath }, { session: by.session })).data.url
}

async function follow(url: string, range?: string, remoteAddress = HERE, ifRange?: string) {
  const headers = { ...(range && { range }), ...(ifRange && { 'if-range': ifRange }) }
  const answer = await maru.app.inject({ url, remoteAddress, headers })
  const isFile = answer.statusCode < 300
  const code = isFile ? undefined : answer.json<{ code: ErrorCode }>().code
  return {
    status: answer.statusCode,
    code,
    body: isFile ? answer.body : undefined,
    headers: answer.headers,
  }
}

const pass = (seconds: number) =>
  maru.database.pool.query(
    `update file_links set created_at = created_at - make_interval(secs => $1), used_at = used_at - make_interval(secs => $1)`,
    [seconds],
  )
const downloads = async () => (await filesOf(maru, kim, notice))[0]?.downloadCount

describe('a download link', () => {
  test('downloads under its Korean name without any header, counts it and works once', async () => {
    const url = await linkOf(lee)
    const first = await follow(url)
    expect(first).toMatchObject({ status: 200, body: TEXT })
    expect(first.headers['content-disposition']).toContain(`filename*=UTF-8''${encodeURIComponent(NAME)}`)
    expect(first.headers['x-content-type-options']).toBe('nosniff')
    expect(await follow(url)).toMatchObject({ status: 400, code: 'FILE_LINK_INVALID' })
    expect(await downloads()).toBe(1)
  })

  test('gives the file to only one of two simultaneous requests', async () => {
    const url = await linkOf(lee)
    const answers = await Promise.all([follow(url), follow(url), follow(url)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  test('is not used up by HEAD or another method, which get nothing', async () => {
    const url = await linkOf(lee)
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'] as const) {
      const answer = await maru.app.inject({ method, url })
      expect(answer.statusCode, method).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode, method).toBeLessThan(500)
    }
    expect((await follow(url)).status).toBe(200)
  })

  test('works for 59 seconds and no longer after 61', async () => {
    const [early, late] = [await linkOf(lee), await linkOf(lee)]
    await pass(59)
    expect((await follow(early)).status).toBe(200)
    await pass(2)
    expect(await follow(late)).toMatchObject({ status: 400, code: 'FILE_LINK_INVALID' })
    expect(await downloads()).toBe(1)
  })

  test('cannot be made up, not even from what is stored of one', async () => {
    const url = await linkOf(lee)
    const { rows } = await maru.database.pool.query(
      `select encode(token_hash, 'hex') as hash from file_links order by created_at desc limit 1`,
    )
    const base = url.slice(0, url.lastIndexOf('/') + 1)
    for (const wrong of [rows[0].hash, 'x', '%00', '..%2f..', `${url.slice(base.length)}x`]) {
      expect((await follow(base + wrong)).code, wrong).toBe('FILE_LINK_INVALID')
    }
  })
})

describe('a broken download (design/uploads-and-files#downloads)', () => {
  test('resumes for an hour from the same address, past the first byte, and counts once', async () => {
    const url = await linkOf(lee)
    await follow(url)
    expect(await follow(url, 'bytes=4-')).toMatchObject({ status: 206, body: '456789' })
    await pass(3_590)
    expect(await follow(url, 'bytes=9-')).toMatchObject({ status: 206, body: '9' })
    expect(await downloads()).toBe(1)
    await pass(20)
    expect(await follow(url, 'bytes=9-')).toMatchObject({ status: 400, code: 'FILE_LINK_INVALID' })
  })

  test('counts the first bytes that a link delivers, also past the first byte (rules/files#download)', async () => {
    const url = await linkOf(lee)
    expect(await follow(url, 'bytes=1-')).toMatchObject({ status: 206, body: '123456789' })
    expect(await downloads()).toBe(1)
    await follow(url, 'bytes=4-')
    expect(await downloads()).toBe(1)
  })

  test('counts a range past the first byte once per session and hour without a link (rules/files#download)', async () => {
    const { storedName, storedPath } = file
    const from = (start: number, { session }: TestUser) =>
      maru.call(downloadFile, { storedName, storedPath }, { session, headers: { range: `bytes=${start}-` } })
    expect((await from(1, lee)).status).toBe(206)
    expect(await downloads()).toBe(1)
    await from(4, lee)
    expect(await downloads()).toBe(1)
    await from(1, await maru.createUser())
    expect(await downloads()).toBe(2)
    await pass(3_610)
    await from(4, lee)
    expect(await downloads()).toBe(3)
    await from(0, lee)
    expect(await downloads()).toBe(4)
  })

  test.each([
    ['from another address', 'bytes=4-', '198.51.100.8'],
    ['from the first byte', 'bytes=0-', HERE],
    ['from the first byte, said otherwise', 'bytes=00-', HERE],
    ['by its last bytes, which may be all', 'bytes=-10', HERE],
    ['with several ranges', 'bytes=1-2,0-9', HERE],
    ['with an impossible range', 'bytes=5-4', HERE],
    ['in other units', 'lines=4-', HERE],
    ['on the condition that it is another file', 'bytes=4-', HERE, '"another"'],
  ])('cannot be resumed %s', async (_, range, address, condition?: string) => {
    const url = await linkOf(lee)
    await follow(url)
    const answer = await follow(url, range, address, condition)
    expect(answer.body ?? '').not.toContain('0')
    expect([answer.status, answer.code]).toEqual([400, 'FILE_LINK_INVALID'])
  })

  test('answers 416 without a byte for a range outside the file', async () => {
    const url = await linkOf(lee)
    await follow(url)
    expect(await follow(url, 'bytes=10-')).toMatchObject({ status: 416, code: 'RANGE_INVALID' })
  })
})

describe('a download link, used or not,', () => {
  const ends: [string, () => Promise<unknown>, code: string][] = [
    ['logout', () => maru.call(logout, {}, lee), 'FILE_LINK_INVALID'],
    [
      'withdrawal',
      async () => {
        await maru.call(checkPassword, { password: PASSWORD }, lee)
        return maru.call(withdrawUser, { userId: lee.userId }, lee)
      },
      'FILE_LINK_INVALID',
    ],
    [
      'a session that is too old',
      () =>
        maru.database.pool.query(
          `update sessions set created_at = now() - interval '13 hours' where user_id = $1`,
          [lee.id],
        ),
      'SESSION_REQUIRED',
    ],
    ['the end of the notice', () => maru.call(deleteNotice, { noticeId: notice }, kim), 'FILE_LINK_INVALID'],
    [
      'the end of the file',
      () =>
        maru.call(
          deleteFile,
          {
            noticeId: notice,
            fileId: file.fileId,
            storedName: file.storedName,
            storedPath: file.storedPath,
          },
          kim,
        ),
      'FILE_LINK_INVALID',
    ],
    [
      'a file that is replaced',
      () => attach(maru, kim, notice, '새.txt', '새 내용', file.fileId),
      'FILE_LINK_INVALID',
    ],
    [
      'a notice that is no longer to be seen',
      () =>
        maru.database.pool.query(`update notices set published_at = now() + interval '1 day' where id = $1`, [
          notice,
        ]),
      'FILE_NOT_FOUND',
    ],
  ]
  test.each(ends)('ends with %s', async (_, end, code) => {
    const [fresh, begun] = [await linkOf(lee), await linkOf(lee)]
    expect((await follow(begun)).status).toBe(200)
    await end()
    expect((await follow(fresh)).code).toBe(code)
    expect((await follow(begun, 'bytes=4-')).code).toBe(code)
  })

  test('ends with its own session, not with another one of the same person', async () => {
    const other = await maru.call(login, { loginId: lee.userId, password: PASSWORD })
    const url = await linkOf({ session: other.data.sessionUid })
    const kept = await linkOf(lee)
    await maru.call(checkPassword, { password: PASSWORD }, lee)
    expect((await maru.call(endOtherSessions, {}, lee)).data.endedCount).toBe(1)
    expect(await follow(url)).toMatchObject({ code: 'FILE_LINK_INVALID' })
    expect((await follow(kept)).status).toBe(200)
  })

  test('cannot be made without a session or for a notice that one may not see', async () => {
    const { storedName, storedPath } = file
    const key = { storedName, storedPath }
    expect(await maru.call(linkFile, key)).toMatchObject({ status: 401 })
    await maru.database.pool.query(`update notices set published_at = now() + interval '1 day'`)
    expect(await maru.call(linkFile, key, lee)).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
  })

  test.each([
    ['the session', 'delete from sessions where user_id = $1', 401, 'SESSION_REQUIRED'],
    ['the file', 'delete from notice_files where $1 <> 0', 400, 'FILE_NOT_FOUND'],
  ])('is refused when %s goes while the storage is asked', async (_, end, status, code) => {
    const { storedName, storedPath } = file
    const asked = vi.spyOn(maru.services.storage, 'sizeOf').mockImplementationOnce(async () => {
      await maru.owner.query(end, [lee.id])
      return TEXT.length
    })
    onTestFinished(() => asked.mockRestore())
    expect(await maru.call(linkFile, { storedName, storedPath }, lee)).toMatchObject({ status, code })
  })
})
