import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getToDo } from '../../../contract/home.ts'
import {
  beginUpload,
  confirmNotice,
  countRecipients,
  createNotice,
  deleteNotice,
  downloadFile,
  getNotice,
  linkFile,
  listAudience,
  listNotices,
  listUnread,
  remindUnread,
  updateNotice,
} from '../../../contract/notices.ts'
import { ROLE } from '../../../contract/permissions.ts'
import { attach, filesOf } from '../../../dev/test-kit/files.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* A notice is invisible to users outside its audience (rules/notices#audience). */
const maru = useMaru()
const FIELDS = { bulletCode: 'BE0001', memo: '' } as const
let author: TestUser
let busan: TestUser
let seoul: TestUser
let busanHr: TestUser
let hr: TestUser

const write = async (title: string, audience = {}, by = author) =>
  (await maru.call(createNotice, { ...FIELDS, title, ...audience }, by)).data.noticeId
const board = async (by: TestUser, input: object = {}) => {
  const { notices, totalCount } = (await maru.call(listNotices, { perPage: 100, ...input }, by)).data
  return [totalCount, ...notices.map(({ title }) => title)]
}
const read = (noticeId: string, by: TestUser) => maru.call(getNotice, { noticeId }, by)
const query = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const viewed = async (by: TestUser) => (await maru.call(listNotices, {}, by)).data.notices[0]?.viewed
const count = async (audience = {}, by = author) =>
  (await maru.call(countRecipients, audience, by)).data.recipientCount
const toBusan = { audienceAffiliations: ['BEL002'] }

beforeAll(async () => {
  author = await maru.createUser({ name: '김작성' })
  busan = await maru.createUser({ affiliation: 'BEL002', name: '나부산' })
  seoul = await maru.createUser({ affiliation: 'BEL001', name: '다서울' })
  // Without autho_notice_manage a user sees no more than any other, whatever their role.
  await query(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT777', '현장 담당', 'Field', 777)`,
  )
  busanHr = await maru.createUser({ affiliation: 'BEL002', name: '라현장' })
  await query(`update users set role_code = 'AUT777' where id = $1`, [busanHr.id])
  hr = await maru.createUser({ role: 'hr', name: '마인사' })
})

beforeEach(() => query('delete from notices'))

describe('the audience of a notice (rules/notices#audience)', () => {
  test('is everyone by default, and otherwise users who match affiliation and role', async () => {
    await write('모두')
    await write('부산', toBusan)
    await write('현장', { audienceRoles: ['AUT777'] })
    await write('부산 현장', { ...toBusan, audienceRoles: ['AUT777', ROLE.hr] })
    await write('두 곳', { audienceAffiliations: ['BEL002', 'BEL001'], audienceRoles: [] })
    expect(await board(busan)).toEqual([3, '두 곳', '부산', '모두'])
    expect(await board(seoul)).toEqual([2, '두 곳', '모두'])
    expect(await board(busanHr)).toEqual([5, '두 곳', '부산 현장', '현장', '부산', '모두'])
    // Its author, of another affiliation, and who manages notices see all, each marked.
    for (const by of [author, hr]) {
      const { notices } = (await maru.call(listNotices, {}, by)).data
      expect(notices.map(({ restricted }) => restricted)).toEqual([true, true, true, true, false])
    }
  })

  test('is counted before publishing: who could log in now, without the author', async () => {
    const everyone = (await query('select count(*)::int as n from users')).rows[0].n
    expect(await count()).toBe(everyone - 1)
    expect(await count(toBusan)).toBe(2)
    expect(await count(toBusan, busan)).toBe(1)
    expect(await count({ audienceRoles: ['AUT777'] })).toBe(1)
    expect(await count({ ...toBusan, audienceRoles: [ROLE.hr] })).toBe(0)
    await query(`update users set approval_code = 'MEMAP002' where id = $1`, [busan.id])
    expect(await count(toBusan)).toBe(1)
    await query(`update users set approval_code = 'MEMAP001' where id = $1`, [busan.id])
  })

  test('hides the notice from all others: lists, searches, neighbors, files and home', async () => {
    const older = await write('지난 글')
    const id = await write('부산 점검', toBusan)
    const newer = await write('새 글')
    await attach(maru, author, id, '점검.txt', 'text')
    await query('update notices set must_read = true where id = $1', [id])
    const file = (await filesOf(maru, author, id))[0]!
    const { storedName, storedPath } = file

    for (const input of [
      {},
      { pinnedFirst: true },
      { scheduled: false, perPage: 4 },
      { searchType: '통합검색', title: '글', author: '글' },
      { searchType: '작성자', author: '김작성' },
    ] as const)
      expect(await board(seoul, input), JSON.stringify(input)).toEqual([2, '새 글', '지난 글'])
    expect(await board(seoul, { searchType: '제목', title: '점검' })).toEqual([0])
    expect(await board(seoul, { page: 2, perPage: 1 })).toEqual([2, '지난 글'])
    expect((await maru.call(getToDo, {}, seoul)).data).toMatchObject({
      unconfirmed: [],
      unconfirmedCount: 0,
    })
    expect((await read(newer, seoul)).data.previous?.noticeId).toBe(older)
    expect((await read(older, seoul)).data.next?.noticeId).toBe(newer)
    // As if there were none: nothing tells that it is there.
    for (const answer of [
      await read(id, seoul),
      await maru.call(confirmNotice, { noticeId: id }, seoul),
      await maru.call(updateNotice, { ...FIELDS, title: 'x', noticeId: id }, seoul),
      await maru.call(deleteNotice, { noticeId: id }, seoul),
      await maru.call(beginUpload, { noticeId: id, fileName: 'a', fileSize: 1 }, seoul),
      await maru.call(listUnread, { noticeId: id }, seoul),
      await maru.call(remindUnread, { noticeId: id }, seoul),
    ])
      expect(answer).toMatchObject({ status: 400, code: 'NOTICE_NOT_FOUND' })
    for (const answer of [
      await maru.callRaw(downloadFile.path, { storedName, storedPath }, seoul),
      await maru.call(linkFile, { storedName, storedPath }, seoul),
    ])
      expect(answer).toMatchObject({ status: 400, code: 'FILE_NOT_FOUND' })
    expect((await query('select from notice_reads where notice_id = $1', [id])).rowCount).toBe(0)

    expect(await board(busan)).toEqual([3, '새 글', '부산 점검', '지난 글'])
    expect((await maru.call(getToDo, {}, busan)).data.unconfirmedCount).toBe(1)
    const { url } = (await maru.call(linkFile, { storedName, storedPath }, busan)).data
    // A user who leaves the audience, or whom the author removes from it, is refused with the next call. So is a link
    // made before.
    await maru.call(
      updateNotice,
      { ...FIELDS, title: '점검', noticeId: id, audienceAffiliations: ['BEL003'] },
      hr,
    )
    expect((await maru.app.inject({ url })).statusCode).toBe(400)
    expect((await read(id, busan)).code).toBe('NOTICE_NOT_FOUND')
    expect(await board(busan)).toEqual([2, '새 글', '지난 글'])
  })

  test('limits unread lists and reminders to the audience; managers read without either', async () => {
    const id = await write('필독', { audienceAffiliations: ['BEL002'] })
    await query('update notices set must_read = true where id = $1', [id])
    const { data } = await maru.call(listUnread, { noticeId: id }, hr)
    expect(data.unread.map(({ name }) => name)).toEqual(['나부산', '라현장'])
    expect((await maru.call(remindUnread, { noticeId: id }, hr)).data.sentCount).toBe(2)
    expect((await read(id, hr)).data).toMatchObject({ restricted: true, toConfirm: false, editable: true })
    expect((await maru.call(confirmNotice, { noticeId: id }, hr)).code).toBe('NOTICE_NOT_FOUND')
    expect((await maru.call(getToDo, {}, hr)).data.unconfirmedCount).toBe(0)
    expect((await read(id, busan)).data.toConfirm).toBe(true)
    await maru.call(confirmNotice, { noticeId: id }, busan)
    expect((await read(id, busan)).data).toMatchObject({ toConfirm: false, confirmed: true })
  })

  test('offers open affiliations, keeps an unmentioned audience and shows it by name', async () => {
    const { data } = await maru.call(listAudience, {}, author)
    expect(data.audienceAffiliations[0]).toEqual({ code: 'BEL001', codeName: '본사' })
    expect(data.audienceRoles).toContainEqual({ code: 'AUT777', codeName: '현장 담당' })
    const id = await write('부산', { audienceAffiliations: ['BEL002', 'BEL002'], audienceRoles: ['AUT777'] })
    await query(`update codes set closed_at = now() where code = 'BEL002'`)
    try {
      for (const [audience, code] of [
        [toBusan, 'CODE_NOT_FOUND'],
        [{ audienceAffiliations: ['NOWHERE'] }, 'CODE_NOT_FOUND'],
        [{ audienceRoles: ['AUT000'] }, 'ROLE_NOT_FOUND'],
      ] satisfies [object, string][])
        expect(await maru.call(createNotice, { ...FIELDS, title: 'x', ...audience }, author)).toMatchObject({
          status: 400,
          code,
        })
      expect((await maru.call(listAudience, {}, author)).data.audienceAffiliations).not.toContainEqual(
        expect.objectContaining({ code: 'BEL002' }),
      )
      // Closed since: the notice keeps it, and a form that knows no audience changes none.
      const edit = { ...FIELDS, title: '부산', noticeId: id }
      expect((await maru.call(updateNotice, { ...edit, ...toBusan }, author)).status).toBe(200)
      expect((await maru.call(updateNotice, edit, author)).status).toBe(200)
    } finally {
      await query(`update codes set closed_at = null where code = 'BEL002'`)
    }
    expect((await maru.call(getNotice, { noticeId: id }, { ...busanHr, language: 'en' })).data).toMatchObject(
      {
        audienceAffiliations: [{ code: 'BEL002', codeName: 'Busan branch' }],
        audienceRoles: [{ code: 'AUT777', codeName: 'Field' }],
      },
    )
    await maru.call(
      updateNotice,
      { ...FIELDS, title: '모두', noticeId: id, audienceAffiliations: [], audienceRoles: [] },
      author,
    )
    expect((await read(id, seoul)).data).toMatchObject({ restricted: false, audienceAffiliations: [] })
  })
})

test('marks a notice unread until a user other than its author opens it (rules/notices#unread-titles)', async () => {
  const id = await write('새 글')
  expect([await viewed(busan), await viewed(author)]).toEqual([false, true])
  await read(id, busan)
  expect([await viewed(busan), await viewed(seoul)]).toEqual([true, false])
})
