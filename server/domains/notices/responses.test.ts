import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  acknowledgeNotice,
  createComment,
  createNotice,
  deleteComment,
  getNotice,
  listComments,
  updateComment,
  updateNotice,
} from '../../../contract/notices.ts'
import { getSettings, updateSettings } from '../../../contract/settings.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/*
 * Reactions and comments of readers on a notice (rules/notices#acknowledgement, rules/notices#comments,
 * rules/notices#switched-off).
 */
const maru = useMaru()
const FIELDS = { bulletCode: 'BE0001', title: '점검', memo: '' } as const
let author: TestUser
let kim: TestUser
let lee: TestUser
let hr: TestUser
let admin: TestUser
let noticeId: string

const query = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const read = async (by = kim) => (await maru.call(getNotice, { noticeId }, by)).data
const counts = async (by = kim) => {
  const { commentCount, acknowledgementCount } = await read(by)
  return [commentCount, acknowledgementCount]
}
const acknowledge = (acknowledged: boolean, by = kim) =>
  maru.call(acknowledgeNotice, { noticeId, acknowledged }, by)
const comment = (text: string, by = kim) => maru.call(createComment, { noticeId, text }, by)
const comments = async (by = kim, page = {}) =>
  (await maru.call(listComments, { noticeId, ...page }, by)).data.comments
const edit = (more: object) => maru.call(updateNotice, { ...FIELDS, noticeId, ...more }, author)

const refused = async () =>
  [await comment('x'), await acknowledge(true), await maru.call(listComments, { noticeId }, kim)].map(
    ({ code }) => code,
  )
const OFF = ['NOTICE_RESPONSE_OFF', 'NOTICE_RESPONSE_OFF', 'NOTICE_RESPONSE_OFF']

const set = async (on: boolean) => {
  const { companyName, logoText, portalUrl, offices, version } = (await maru.call(getSettings, {}, admin))
    .data
  const changes = { noticeComments: on, noticeAcknowledgements: on }
  return maru.call(updateSettings, { companyName, logoText, portalUrl, offices, version, ...changes }, admin)
}

beforeAll(async () => {
  author = await maru.createUser({ name: '김작성' })
  kim = await maru.createUser({ name: '나독자' })
  lee = await maru.createUser({ name: '다독자', affiliation: 'BEL002' })
  hr = await maru.createUser({ role: 'hr' })
  admin = await maru.createUser({ role: 'admin' })
})

beforeEach(async () => {
  await query('delete from notices')
  noticeId = (await maru.call(createNotice, FIELDS, author)).data.noticeId
})

describe('an acknowledgement', () => {
  test('counts once per reader, can be undone, confirms nothing, and excludes the author', async () => {
    await query('update notices set must_read = true')
    for (const by of [kim, kim, lee]) expect((await acknowledge(true, by)).status).toBe(200)
    expect(await read()).toMatchObject({
      acknowledgementCount: 2,
      acknowledged: true,
      confirmed: false,
      toConfirm: true,
    })
    expect(await read(author)).toMatchObject({ acknowledgementCount: 2, acknowledged: false })
    await acknowledge(false)
    expect(await read()).toMatchObject({ acknowledgementCount: 1, acknowledged: false })
    expect((await acknowledge(true, author)).code).toBe('NOTICE_RESPONSE_OFF')
  })
})

describe('comments', () => {
  test('are listed newest first, a page at a time, with who may edit and delete each', async () => {
    for (let i = 1; i <= 12; i += 1) await comment(`${i}번째\n<b>글</b>`, i === 12 ? lee : kim)
    const [first] = await comments()
    expect(first).toMatchObject({
      rowNumber: 12,
      text: '12번째\n<b>글</b>',
      userId: lee.userId,
      name: '다독자',
      edited: false,
      editable: false,
      removable: false,
    })
    expect((await comments(hr))[0]).toMatchObject({ editable: false, removable: true })
    expect((await comments(kim, { page: 2 })).map(({ text }) => text.split('\n')[0])).toEqual([
      '2번째',
      '1번째',
    ])
    expect(await read()).toMatchObject({ commentCount: 12 })
  })

  test.each([[''], ['  \n '], ['가'.repeat(1001)]])('take no text %#: blank or too long', async (text) => {
    expect(await comment(text)).toMatchObject({ status: 400, code: 'INPUT_INVALID', field: 'text' })
  })

  test('lets only authors edit comments; authors and managers delete them, logged', async () => {
    const { commentId } = (await comment('처음')).data
    const change = (by: TestUser) => maru.call(updateComment, { commentId, text: '고침' }, by)
    for (const by of [lee, hr, author]) expect((await change(by)).code).toBe('COMMENT_NOT_FOUND')
    expect((await change(kim)).status).toBe(200)
    expect(await comments()).toMatchObject([{ text: '고침', edited: true }])
    const remove = (by: TestUser) => maru.call(deleteComment, { commentId }, by)
    // The author of the notice is no moderator.
    for (const by of [lee, author]) expect((await remove(by)).code).toBe('FORBIDDEN')
    expect((await remove(hr)).status).toBe(200)
    expect((await remove(kim)).code).toBe('COMMENT_NOT_FOUND')
    expect((await change(kim)).code).toBe('COMMENT_NOT_FOUND')
    const { rows } = await query(
      `select action, detail, records from audit_log where target = $1 and action like 'notice.comment%' order by id`,
      [commentId],
    )
    expect(rows).toEqual([
      { action: 'notice.comment', detail: {}, records: [`notice/${noticeId}`] },
      { action: 'notice.comment-edit', detail: {}, records: [`notice/${noticeId}`] },
      { action: 'notice.comment-delete', detail: { userId: kim.userId }, records: [`notice/${noticeId}`] },
    ])
  })

  test('are for the audience of the notice and only once it is published', async () => {
    const { commentId } = (await comment('안녕', lee)).data
    await edit({ audienceAffiliations: ['BEL001'] })
    for (const answer of [
      await comment('x', lee),
      await acknowledge(true, lee),
      await maru.call(listComments, { noticeId }, lee),
    ])
      expect(answer.code).toBe('NOTICE_NOT_FOUND')
    expect((await maru.call(updateComment, { commentId, text: 'x' }, lee)).code).toBe('COMMENT_NOT_FOUND')
    expect((await maru.call(deleteComment, { commentId }, lee)).code).toBe('COMMENT_NOT_FOUND')
    await query(`update notices set published_at = now() + interval '1 day'`)
    for (const answer of [await comment('x', author), await acknowledge(true, hr)])
      expect(answer.code).toBe('NOTICE_NOT_FOUND')
    expect(await counts(author)).toEqual([undefined, undefined])
  })
})

describe('switched off (rules/notices#switched-off)', () => {
  test('hides and refuses each when the author disables it, and restores it later', async () => {
    const { commentId } = (await comment('남는 글')).data
    await edit({ allowComments: false, allowAcknowledgements: false })
    expect(await refused()).toEqual(OFF)
    expect(await counts()).toEqual([undefined, undefined])
    expect((await read()).allowComments).toBe(false)
    expect((await maru.call(updateComment, { commentId, text: 'x' }, kim)).code).toBe('NOTICE_RESPONSE_OFF')
    // A form that knows neither leaves both as they are.
    await edit({})
    await edit({ allowComments: true })
    expect(await counts()).toEqual([1, undefined])
  })

  test('applies to every notice immediately if the portal does it (rules/settings#responses-to-notices)', async () => {
    expect((await set(false)).status).toBe(200)
    try {
      expect(await refused()).toEqual(OFF)
      expect(await counts()).toEqual([undefined, undefined])
      expect((await read()).allowComments).toBe(true)
    } finally {
      expect((await set(true)).status).toBe(200)
    }
    expect(await read()).toMatchObject({ commentCount: 0, acknowledgementCount: 0 })
  })
})
