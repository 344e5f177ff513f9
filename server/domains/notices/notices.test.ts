import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import { downloadFile, listNotices } from '../../../contract/notices.ts'
import { newStorageKey, putFile } from '../../services/storage.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let kim: TestUser
let lee: TestUser

async function write(by: TestUser, title: string, createdAt = 'now()', bullet = 'BE0001'): Promise<string> {
  const { rows } = await maru.database.pool.query(
    `insert into notices (bullet_code, title, memo, author_id, created_at)
     values ($1, $2, '본문', $3, case when $4 = 'now()' then now() else $4::timestamptz end) returning id`,
    [bullet, title, by.id, createdAt],
  )
  return rows[0].id
}

async function attach(notice: string, name: string, content: Buffer) {
  const key = newStorageKey(new Date())
  await putFile(maru.services.storage, key, Readable.from([content]))
  await maru.database.pool.query(
    `insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
     values ($1, $2, $3, $4, $5, $6)`,
    [randomUUID(), notice, key.path, key.name, name, content.length],
  )
  return { storedPath: key.path, storedName: key.name }
}

const list = async (input: InputOf<typeof listNotices> = {}, language = 'ko') =>
  (await maru.call(listNotices, input, { session: lee.session, language })).data
const titles = async (input: InputOf<typeof listNotices>) =>
  (await list({ perPage: 100, ...input })).notices.map(({ title }) => title)
const download = (key: { storedPath: string; storedName: string }) => maru.call(downloadFile, key, lee)

beforeAll(async () => {
  kim = await maru.createUser({ name: '김점검', loginId: 'kim.author' })
  lee = await maru.createUser({ name: '이서버', loginId: 'lee.author' })
  for (let i = 1; i <= 11; i += 1) {
    const at = `2026-03-01 10:${String(i).padStart(2, '0')}:00+09`
    await write(
      i % 2 === 0 ? kim : lee,
      i === 5 ? '서버 점검 안내' : `공지 ${i}`,
      at,
      i === 5 ? 'BE0002' : 'BE0001',
    )
  }
})

describe('the notice list (rules/notices#notice-board)', () => {
  test('has 9 rows a page, newest first, with row numbers counting down', async () => {
    const first = await list()
    expect(first.totalCount).toBe(11)
    expect(first.notices.map(({ rowNumber, title }) => `${rowNumber} ${title}`)).toEqual([
      '11 공지 11',
      '10 공지 10',
      '9 공지 9',
      '8 공지 8',
      '7 공지 7',
      '6 공지 6',
      '5 서버 점검 안내',
      '4 공지 4',
      '3 공지 3',
    ])
    expect((await list({ page: 2 })).notices.map(({ rowNumber }) => rowNumber)).toEqual([2, 1])
    expect(await list({ page: 3 })).toEqual({ notices: [], totalCount: 11 })
  })

  test('has the columns of the board, with times in Asia/Seoul', async () => {
    const { notices } = await list({ title: '서버 점검', searchType: '제목' })
    expect(notices).toEqual([
      {
        rowNumber: 1,
        noticeId: expect.stringMatching(/^\d+$/),
        bulletCode: 'BE0002',
        bulletName: '키발급',
        title: '서버 점검 안내',
        userId: 'lee.author',
        name: '이서버',
        registeredAt: '2026-03-01 10:05:00',
        files: [],
        pinned: false,
        scheduled: false,
        isNew: false,
        mustRead: false,
        restricted: false,
        viewCount: 0,
        viewed: true,
        confirmed: false,
        toConfirm: false,
      },
    ])
    const english = await list({ title: '서버 점검', searchType: '제목' }, 'en')
    expect(english.notices[0]?.bulletName).toBe('Key issue')
  })

  test('gives the home page its 4 newest (rules/home#notice-panel)', async () => {
    expect((await list({ perPage: 4 })).notices.map(({ rowNumber }) => rowNumber)).toEqual([11, 10, 9, 8])
  })
})

describe('the notice search (rules/notices#notice-search)', () => {
  test('matches title or author with 통합검색', async () => {
    const found = await titles({ searchType: '통합검색', title: '점검', author: '점검' })
    // Five by 김점검, and one by another author with the word in its title.
    expect(found).toEqual(['공지 10', '공지 8', '공지 6', '서버 점검 안내', '공지 4', '공지 2'])
  })

  test('looks only at titles with 제목', async () => {
    expect(await titles({ searchType: '제목', title: '점검', author: '점검' })).toEqual(['서버 점검 안내'])
  })

  test('looks only at authors with 작성자', async () => {
    const found = await titles({ searchType: '작성자', title: '점검', author: '점검' })
    expect(found).toHaveLength(5)
    expect(found).not.toContain('서버 점검 안내')
  })

  test('treats empty text as no filter, whatever the type', async () => {
    for (const searchType of ['통합검색', '제목', '작성자'] as const) {
      expect((await list({ searchType, title: '', author: ' ' })).totalCount).toBe(11)
    }
  })

  test('takes the Korean type in every language and rejects any other', async () => {
    const answer = await maru.callRaw(
      listNotices.path,
      { searchType: 'Title' },
      { session: lee.session, language: 'en' },
    )
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'searchType' })
  })

  test('matches any part in any case and takes %, _ and \\ literally', async () => {
    const id = await write(kim, 'VPN 100%_\\ Upgrade')
    for (const title of ['vpn', 'UPGRADE', '100%', '%_\\']) {
      expect(await titles({ searchType: '제목', title })).toEqual(['VPN 100%_\\ Upgrade'])
    }
    await maru.database.pool.query('delete from notices where id = $1', [id])
  })

  test('keeps the notices of withdrawn people, with the author’s name', async () => {
    const gone = await maru.createUser({ name: '박퇴사' })
    const id = await write(gone, '남는 글')
    await maru.database.pool.query('update users set withdrawn_at = now() where id = $1', [gone.id])
    expect((await list({ searchType: '작성자', author: '박퇴사' })).notices[0]).toMatchObject({
      title: '남는 글',
      name: '박퇴사',
    })
    await maru.database.pool.query('delete from notices where id = $1', [id])
  })
})

describe('files (rules/files#download, rules/files#opaque-names)', () => {
  const name = `점검 "계획" (최종)'s 50%;.pdf`

  test('are named in the list and downloaded byte for byte under their Korean names', async () => {
    const notice = await write(kim, '첨부 있음')
    const content = Buffer.from('파일 내용\0과 바이트\xff', 'latin1')
    const key = await attach(notice, name, content)
    const row = (await list({ searchType: '제목', title: '첨부 있음' })).notices[0]
    expect(row?.files).toEqual([
      {
        fileId: expect.any(String),
        fileName: name,
        fileSize: content.length,
        downloadCount: 0,
        ...key,
      },
    ])

    const answer = await download(key)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-length': String(content.length),
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
    const disposition = String(answer.headers['content-disposition'])
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w.%~!-]+$/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(name)
    expect(disposition.match(/filename="([^"]*)"/)?.[1]).not.toMatch(/["\\]/)
  })

  test('are FILE_NOT_FOUND under an unknown key, with its message (rules/files#file-missing)', async () => {
    const answer = await download({ storedPath: '2026/03', storedName: randomUUID() })
    expect(answer).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
    const english = await maru.call(
      downloadFile,
      { storedPath: '2026/03', storedName: 'x' },
      { session: lee.session, language: 'en' },
    )
    expect(english.msg).toBe('The file does not exist. Please re-register.')
  })

  test('are FILE_NOT_FOUND when the row exists but the file is gone', async () => {
    const key = await attach(await write(kim, '사라진 파일'), '사라짐.txt', Buffer.from('x'))
    rmSync(join(maru.dataDir, 'files', key.storedPath, key.storedName))
    expect(await download(key)).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
  })

  test('are looked up by the key, which is never used as a path', async () => {
    for (const [storedPath, storedName] of [
      ['../..', 'package.json'],
      ['/etc', 'passwd'],
      ['.', '../../../etc/passwd'],
    ] as const) {
      expect(await download({ storedPath, storedName })).toMatchObject({
        status: 400,
        code: 'FILE_NOT_FOUND',
      })
    }
  })
})
