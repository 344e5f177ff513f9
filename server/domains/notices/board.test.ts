import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../../contract/endpoint.ts'
import {
  beginUpload,
  countRecipients,
  createNotice,
  deleteNotice,
  getNotice,
  listNotices,
  updateNotice,
} from '../../../contract/notices.ts'
import { koreanDay } from '../../../dev/test-kit/days.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
let author: TestUser
let reader: TestUser
let hr: TestUser
let admin: TestUser

const FIELDS = { bulletCode: 'BE0001', title: '서버 점검', memo: '토요일\n22시' } as const
const IN_2099 = '2099-05-06 09:30'

const write = async (more: Partial<InputOf<typeof createNotice>> = {}, by = author) => {
  // Only `autho_notice_manage` allows these fields, so set them directly in the database.
  const { pinnedUntil = null, mustRead = false, ...fields } = more
  const { noticeId } = (await maru.call(createNotice, { ...FIELDS, ...fields }, by)).data
  if (pinnedUntil !== null || mustRead)
    await query('update notices set pinned_until = $2, must_read = $3 where id = $1', [
      noticeId,
      pinnedUntil,
      mustRead,
    ])
  return noticeId
}
const read = (noticeId: string, by = reader, language = 'ko') =>
  maru.call(getNotice, { noticeId }, { session: by.session, language })
const edit = (noticeId: string, more: Partial<InputOf<typeof updateNotice>> = {}, by = author) =>
  maru.call(updateNotice, { ...FIELDS, ...more, noticeId }, by)
const list = async (by = reader, input: InputOf<typeof listNotices> = {}) =>
  (await maru.call(listNotices, { perPage: 100, ...input }, by)).data
const titles = async (by = reader, input: InputOf<typeof listNotices> = {}) =>
  (await list(by, input)).notices.map(({ rowNumber, title }) => `${rowNumber} ${title}`)
const row = async (id: string) =>
  (await maru.database.pool.query('select * from notices where id = $1', [id])).rows[0]
const query = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

beforeAll(async () => {
  author = await maru.createUser({ loginId: 'the.author', name: '김작성' })
  reader = await maru.createUser({ loginId: 'the.reader' })
  hr = await maru.createUser({ role: 'hr' })
  admin = await maru.createUser({ role: 'admin' })
})

beforeEach(() => query('delete from notices'))

describe('writing a notice (rules/notices#notice-form)', () => {
  test('answers its number and makes the caller the author, whatever else is sent (rules/notices#author)', async () => {
    const { data, status } = await maru.call(createNotice, FIELDS, author)
    expect(status).toBe(200)
    expect(data).toEqual({ noticeId: expect.stringMatching(/^\d+$/), userId: 'the.author' })
    expect((await read(data.noticeId)).data).toMatchObject({
      ...FIELDS,
      userId: 'the.author',
      name: '김작성',
    })
    const forged = await maru.callRaw(createNotice.path, { ...FIELDS, userId: 'the.reader' }, author)
    expect(forged).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
  })

  test.each(['', '   ', '\t\n'])(
    'is refused with the title %j, which is blank after trimming',
    async (title) => {
      const answer = await maru.call(createNotice, { ...FIELDS, title }, author)
      expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'title' })
      expect((await list()).totalCount).toBe(0)
    },
  )

  test('takes a null memo as empty and keeps line breaks', async () => {
    expect((await read(await write({ memo: null }))).data.memo ?? '').toBe('')
    expect((await read(await write({ memo: '한 줄\r\n두 줄\n\n넷' }))).data.memo).toBe('한 줄\n두 줄\n\n넷')
  })

  test('keeps script as text and answers it as it was written', async () => {
    const title = '<script>alert(1)</script>'
    const memo = '<img src=x onerror=alert(1)>'
    expect((await read(await write({ title, memo }))).data).toMatchObject({ title, memo })
  })

  test('takes BE0001 and BE0002 as bullets, named in the language of the request', async () => {
    const id = await write({ bulletCode: 'BE0002' })
    expect((await read(id)).data.bulletName).toBe('키발급')
    expect((await read(id, reader, 'en')).data.bulletName).toBe('Key issue')
    const other = await maru.callRaw(createNotice.path, { ...FIELDS, bulletCode: 'BE0003' }, author)
    expect(other).toMatchObject({ status: 400, field: 'bulletCode' })
  })
})

describe('publishing without autho_notice_insert (rules/notices#who-publishes)', () => {
  const take = `delete from role_functions where role_code = 'AUT003' and function_name = 'autho_notice_insert'`
  const give = `insert into role_functions values ('AUT003', 'autho_notice_insert')`

  test('is refused, as are edits and deletions of own notices, and changes nothing', async () => {
    const id = await write()
    const before = await row(id)
    await query(take)
    try {
      const refused = { status: 403, code: 'FORBIDDEN' }
      expect(await maru.call(createNotice, FIELDS, author)).toMatchObject(refused)
      expect(await maru.call(countRecipients, {}, author)).toMatchObject(refused)
      expect((await read(id, author)).data.editable).toBe(false)
      expect(await edit(id, { title: '바뀐 제목' })).toMatchObject(refused)
      expect(await maru.call(deleteNotice, { noticeId: id }, author)).toMatchObject(refused)
      for (const file of [{ noticeId: id }, {}])
        expect(
          await maru.call(beginUpload, { ...file, fileName: 'a.txt', fileSize: 1 }, author),
        ).toMatchObject(refused)
      expect(await row(id)).toEqual(before)
      expect((await query('select id from notices')).rows).toHaveLength(1)
      expect((await read(id)).status).toBe(200)
    } finally {
      await query(give)
    }
    expect((await edit(id, { title: '바뀐 제목' })).status).toBe(200)
  })
})

describe('editing and deleting a notice (rules/notices#who-edits-notices, rules/notices#delete-notice)', () => {
  test('is allowed to the author and with autho_notice_manage; other readers are refused', async () => {
    for (const [by, editable] of [
      [author, true],
      [hr, true],
      [admin, true],
      [reader, false],
    ] as const) {
      const id = await write()
      expect((await read(id, by)).data.editable).toBe(editable)
      const before = await row(id)
      const edited = await edit(id, { title: '바뀐 제목' }, by)
      if (!editable) {
        expect(edited).toMatchObject({ status: 403, code: 'FORBIDDEN' })
        expect(await maru.call(deleteNotice, { noticeId: id }, by)).toMatchObject({ status: 403 })
        expect(await row(id)).toEqual(before)
      } else {
        expect(edited.status).toBe(200)
        // The author stays, no matter who edits.
        expect((await read(id)).data).toMatchObject({ title: '바뀐 제목', userId: 'the.author' })
        expect((await maru.call(deleteNotice, { noticeId: id }, by)).status).toBe(200)
        expect(await row(id)).toBeUndefined()
      }
    }
  })

  test('is NOTICE_NOT_FOUND for everybody when it does not exist', async () => {
    const noticeId = '999999999999999999'
    for (const by of [author, admin]) {
      expect(await read(noticeId, by)).toMatchObject({ status: 400, code: 'NOTICE_NOT_FOUND' })
      expect(await edit(noticeId, {}, by)).toMatchObject({ code: 'NOTICE_NOT_FOUND' })
      expect(await maru.call(deleteNotice, { noticeId }, by)).toMatchObject({ code: 'NOTICE_NOT_FOUND' })
    }
  })

  test('removes a deleted notice’s files and readers and leaves those of others', async () => {
    const [gone, stays] = [await write(), await write()]
    for (const id of [gone, stays]) {
      await read(id)
      await query(
        `insert into notice_files (id, notice_id, save_path, save_file_name, original_name, size_bytes)
         values ($1, $2, '2026/11', $3, 'a.txt', 1)`,
        [randomUUID(), id, randomUUID()],
      )
    }
    await maru.call(deleteNotice, { noticeId: gone }, author)
    for (const table of ['notice_files', 'notice_reads']) {
      const { rows } = await query(`select notice_id from ${table}`)
      expect(rows, table).toEqual([{ notice_id: stays }])
    }
  })
})

describe('two people who edit one notice (rules/notices#two-writers)', () => {
  test('refuses the second of two edits of one version and keeps the first', async () => {
    const id = await write()
    const { version } = (await read(id)).data
    expect((await edit(id, { title: '첫째가 고침', version })).status).toBe(200)
    const second = await edit(id, { title: '둘째가 고침', version }, hr)
    expect(second).toMatchObject({ status: 400, code: 'RECORD_CHANGED' })
    const now = (await read(id)).data
    expect(now).toMatchObject({ title: '첫째가 고침', version: String(Number(version) + 1) })
    // Having seen it, the second may save.
    expect((await edit(id, { title: '둘째가 고침', version: now.version }, hr)).status).toBe(200)
  })

  test('lets exactly one of many concurrent saves of one version succeed', async () => {
    const id = await write()
    const { version } = (await read(id)).data
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => edit(id, { title: `동시 ${i}`, version })),
    )
    expect(answers.map(({ code }) => code ?? 'saved').toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 'RECORD_CHANGED'),
      'saved',
    ])
  })

  test('saves without a version and changes no setting', async () => {
    const id = await write({ mustRead: true, pinnedUntil: '2099-12-31', publishAt: IN_2099 })
    const before = await row(id)
    expect((await edit(id, { title: '제목만' }, hr)).status).toBe(200)
    expect(await row(id)).toEqual({
      ...before,
      title: '제목만',
      version: before.version + 1,
      updated_at: expect.any(Date),
    })
  })
})

describe('a scheduled notice (rules/notices#scheduled)', () => {
  test('is invisible to others in list, count, search and detail until its time', async () => {
    const [older, hidden, newer] = [
      await write({ title: '먼저' }),
      await write({ title: '예약된 글', publishAt: IN_2099 }),
      await write({ title: '나중' }),
    ]
    expect(await titles()).toEqual(['2 나중', '1 먼저'])
    expect((await list(reader, { title: '예약', searchType: '제목' })).totalCount).toBe(0)
    expect(await read(hidden)).toMatchObject({ status: 400, code: 'NOTICE_NOT_FOUND' })
    expect((await read(newer)).data).toMatchObject({ next: null, previous: { noticeId: older } })
    // Not even that it exists.
    expect(await edit(hidden, {}, reader)).toMatchObject({ status: 400, code: 'NOTICE_NOT_FOUND' })
    expect(await maru.call(deleteNotice, { noticeId: hidden }, reader)).toMatchObject({
      code: 'NOTICE_NOT_FOUND',
    })
  })

  test('is shown, marked and with its time, to its author and with autho_notice_manage', async () => {
    const id = await write({ title: '예약된 글', publishAt: IN_2099 })
    await write({ title: '오늘 글' }, hr)
    for (const by of [author, hr, admin]) {
      const [first, second] = (await list(by)).notices
      expect(first).toMatchObject({
        rowNumber: 2,
        title: '예약된 글',
        scheduled: true,
        isNew: false,
        registeredAt: '2099-05-06 09:30:00',
      })
      expect(second).toMatchObject({ rowNumber: 1, scheduled: false, isNew: true })
      expect((await read(id, by)).data).toMatchObject({ scheduled: true, viewCount: 0 })
    }
    expect((await list(reader)).totalCount).toBe(1)
    // Home leaves it out for them, too (rules/home#notice-panel).
    for (const by of [author, admin]) expect(await titles(by, { scheduled: false })).toEqual(['1 오늘 글'])
  })

  test('is seen by everybody once its time has come, in its place by that time', async () => {
    const id = await write({ title: '예약된 글', publishAt: IN_2099 })
    await write({ title: '오늘 글' })
    await query(`update notices set published_at = now() - interval '1 hour' where id = $1`, [id])
    expect(await titles()).toEqual(['2 오늘 글', '1 예약된 글'])
    expect((await read(id)).data.scheduled).toBe(false)
  })

  test('is published at once when its time is empty or has passed', async () => {
    for (const publishAt of ['', '2001-01-01 00:00', '2001-01-01 00:00:59'])
      expect((await read(await write({ publishAt }))).data.scheduled).toBe(false)
    const { rows } = await query(
      `select count(*)::int as n from notices where published_at < now() - interval '1 hour'`,
    )
    expect(rows).toEqual([{ n: 0 }])
  })

  test.each([
    '2026-02-30 10:00',
    '2026-01-01',
    '2026-01-01 24:00',
    '2026-01-01 10:60',
    '2100-01-01 10:00',
    '내일',
  ])('cannot have %s as its time', async (publishAt) => {
    const answer = await maru.call(createNotice, { ...FIELDS, publishAt }, author)
    expect(answer).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'publishAt' })
  })

  test('may be moved or published while it waits, but not withdrawn once published', async () => {
    const id = await write({ publishAt: IN_2099 })
    await edit(id, { publishAt: '2099-06-07 08:00' })
    expect((await read(id, author)).data.registeredAt).toBe('2099-06-07 08:00:00')
    await edit(id, { publishAt: '' })
    const published = (await read(id)).data
    expect(published.scheduled).toBe(false)
    expect(await edit(id, { publishAt: IN_2099 })).toMatchObject({
      status: 400,
      code: 'NOTICE_PUBLISHED',
    })
    expect((await edit(id, { publishAt: '' })).status).toBe(200)
    expect((await read(id)).data.registeredAt).toBe(published.registeredAt)
  })
})

describe('pinned notices (rules/notices#pins)', () => {
  test('stay on top until their last day ends in Asia/Seoul, each once, with row numbers', async () => {
    await write({ title: '고정 오늘까지', pinnedUntil: koreanDay(0) })
    const ended = await write({ title: '고정 어제까지', pinnedUntil: koreanDay(-1) })
    expect((await edit(ended, { title: '고정 어제까지', audienceAffiliations: ['BEL001'] })).status).toBe(200)
    expect((await edit(ended, { title: '고정 어제까지', audienceAffiliations: [] })).status).toBe(200)
    await write({ title: '보통' })
    const board = { pinnedFirst: true }
    expect(await titles(reader, board)).toEqual(['3 고정 오늘까지', '2 보통', '1 고정 어제까지'])
    expect((await list(reader, board)).notices.map(({ pinned }) => pinned)).toEqual([true, false, false])
    const pages = [1, 2].map((page) => titles(reader, { ...board, perPage: 2, page }))
    expect((await Promise.all(pages)).flat()).toEqual(await titles(reader, board))
    // Clients that know only the fields of the spec, and home, get the newest, whatever is pinned
    // (rules/home#notice-panel).
    expect(await titles()).toEqual(['3 보통', '2 고정 어제까지', '1 고정 오늘까지'])
  })

  test('come first in searches that they match, and only once they are published', async () => {
    const search = { searchType: '제목', title: '점검' } as const
    await write({ title: '점검 고정', pinnedUntil: '2099-12-31' })
    await write({ title: '점검 보통' })
    await write({ title: '다른 고정', pinnedUntil: '2099-12-31' })
    await write({ title: '점검 예약 고정', pinnedUntil: '2099-12-31', publishAt: IN_2099 })
    expect(await titles(reader, { ...search, pinnedFirst: true })).toEqual(['2 점검 고정', '1 점검 보통'])
    expect(await titles(author, { ...search, pinnedFirst: true })).toEqual([
      '3 점검 고정',
      '2 점검 예약 고정',
      '1 점검 보통',
    ])
    expect(await titles(author, search)).toEqual(['3 점검 예약 고정', '2 점검 보통', '1 점검 고정'])
    expect(await titles(author, { ...search, scheduled: false })).toEqual(['2 점검 보통', '1 점검 고정'])
  })

  test('can be unpinned', async () => {
    const id = await write({ pinnedUntil: '2099-12-31' })
    await edit(id, { pinnedUntil: '' }, hr)
    expect((await read(id)).data).toMatchObject({ pinned: false, pinnedUntil: '' })
  })

  test('need autho_notice_manage, like must-read ones (rules/notices#who-pins)', async () => {
    for (const setting of [{ pinnedUntil: '2099-12-31' }, { mustRead: true }]) {
      expect(await maru.call(createNotice, { ...FIELDS, ...setting }, author)).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      })
      const id = (await maru.call(createNotice, { ...FIELDS, ...setting }, hr)).data.noticeId
      expect((await read(id)).data).toMatchObject(setting)
      expect((await edit(await write(), setting)).status).toBe(403)
    }
    const id = await write({ pinnedUntil: '2099-12-31', mustRead: true })
    for (const setting of [{ pinnedUntil: '' }, { pinnedUntil: '2099-12-30' }, { mustRead: false }])
      expect((await edit(id, setting)).status).toBe(403)
    // Empty settings are none.
    const plain = { ...FIELDS, pinnedUntil: '', mustRead: false }
    expect((await maru.call(createNotice, plain, author)).status).toBe(200)
  })
})

describe('a must-read or pinned notice (rules/notices#who-edits-notices)', () => {
  test.each([{ mustRead: true }, { pinnedUntil: koreanDay(0) }])(
    'cannot be changed, widened or deleted by its author while it has %j',
    async (marks) => {
      const id = await write({ ...marks, audienceAffiliations: ['BEL001'] })
      const before = await row(id)
      const widened = { audienceAffiliations: [] }
      const marked = { status: 403, code: 'NOTICE_MARKED' }
      for (const change of [widened, { title: '다른 제목' }, { memo: '다른 내용' }, { allowComments: false }])
        expect(await edit(id, change)).toMatchObject(marked)
      expect(await maru.call(deleteNotice, { noticeId: id }, author)).toMatchObject(marked)
      expect(await row(id)).toEqual(before)
      expect((await read(id, author)).data.editable).toBe(false)
      expect((await read(id, hr)).data.editable).toBe(true)
      expect((await edit(id, widened, hr)).status).toBe(200)
    },
  )

  test('is its author’s to edit again after its marks are removed or its pin has ended', async () => {
    const ended = await write({ pinnedUntil: koreanDay(-1) })
    expect((await edit(ended, { title: '지난 고정' })).status).toBe(200)
    const id = await write({ mustRead: true })
    expect((await edit(id, { mustRead: false }, hr)).status).toBe(200)
    expect((await edit(id, { title: '다른 제목' })).status).toBe(200)
    expect((await read(id, author)).data).toMatchObject({ title: '다른 제목', editable: true })
  })
})

describe('marks, views and neighbours (rules/notices#marks, rules/notices#views, rules/notices#neighbours)', () => {
  test('marks what was published in the last 3 days with 새글', async () => {
    const id = await write()
    expect((await read(id)).data.isNew).toBe(true)
    await query(`update notices set published_at = now() - interval '3 days 1 second'`)
    expect((await read(id)).data.isNew).toBe(false)
  })

  test('counts one view per user, none of the author, and writes nothing for the second', async () => {
    const id = await write()
    await read(id, author)
    expect((await read(id, reader)).data.viewCount).toBe(1)
    const before = (await query('select xmin, * from notice_reads')).rows
    await Promise.all(Array.from({ length: 5 }, () => read(id, reader)))
    expect((await query('select xmin, * from notice_reads')).rows).toEqual(before)
    await Promise.all(Array.from({ length: 5 }, () => read(id, hr)))
    expect((await read(id, author)).data.viewCount).toBe(2)
    expect((await list()).notices[0]?.viewCount).toBe(2)
  })

  test('treats opening a notice while it is deleted as no server error', async () => {
    for (let i = 0; i < 5; i += 1) {
      const id = await write()
      const answers = await Promise.all([
        maru.call(deleteNotice, { noticeId: id }, author),
        ...[reader, hr, admin].map((by) => read(id, by)),
      ])
      for (const { status } of answers) expect(status).toBeLessThan(500)
    }
    expect(maru.log.filter((line) => line.level >= 50)).toEqual([])
  })

  test('orders previous and next by date, whatever is pinned', async () => {
    const ids = [
      await write({ title: '하나', pinnedUntil: '2099-12-31' }),
      await write({ title: '둘' }),
      await write({ title: '셋' }),
    ]
    expect((await read(ids[1]!)).data).toMatchObject({
      previous: { noticeId: ids[0], title: '하나', userId: 'the.author' },
      next: { noticeId: ids[2], title: '셋' },
    })
    expect((await read(ids[0]!)).data.previous).toBeNull()
    expect((await read(ids[2]!)).data.next).toBeNull()
  })
})
