import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  createComment,
  createNotice,
  deleteComment,
  getNotice,
  listComments,
  updateComment,
  updateNotice,
} from '../../../contract/notices.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

/* Replies to comments, and who is notified of them (rules/notices#replies). */
const maru = useMaru()
const FIELDS = { bulletCode: 'BE0001', title: '점검', memo: '' } as const
let author: TestUser
let kim: TestUser
let lee: TestUser
let hr: TestUser
let noticeId: string

const query = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)
const write = async (more = {}) =>
  (await maru.call(createNotice, { ...FIELDS, ...more }, author)).data.noticeId
const send = (text: string, by: TestUser, answeredId?: string) =>
  maru.call(createComment, { noticeId, text, answeredId }, by)
const said = async (text: string, by: TestUser, answeredId?: string) =>
  (await send(text, by, answeredId)).data.commentId
const remove = (commentId: string, by: TestUser) => maru.call(deleteComment, { commentId }, by)
const list = async (page = 1) => (await maru.call(listComments, { noticeId, page }, kim)).data
const texts = async (page = 1) =>
  (await list(page)).comments.map(({ text, deleted }) => (deleted ? '-' : text))
/** The kinds of a user's notifications of this notice, the newest first. */
const kindsOf = async (by: TestUser) =>
  (await maru.call(listNotifications, {}, by)).data.notifications
    .filter((one) => one.noticeId === noticeId)
    .map(({ kind, name }) => `${kind} ${name}`)

beforeAll(async () => {
  author = await maru.createUser({ name: '김작성' })
  kim = await maru.createUser({ name: '나독자' })
  lee = await maru.createUser({ name: '다독자', affiliation: 'BEL002' })
  hr = await maru.createUser({ role: 'hr', name: '인사' })
})

beforeEach(async () => {
  await query('delete from notices')
  noticeId = await write()
})

describe('replies (rules/notices#replies)', () => {
  test('join the thread of the comment that they answer and name its author', async () => {
    const first = await said('첫째', kim)
    await said('둘째', lee)
    const reply = await said('답글', lee, first)
    await said('답글의 답글', author, reply)
    await said('다른 답글', kim, first)
    const { comments, totalCount } = await list()
    expect(
      comments.map(({ text, reply: isReply, answeredName, rowNumber }) => [
        rowNumber,
        text,
        isReply,
        answeredName,
      ]),
    ).toEqual([
      [5, '둘째', false, undefined],
      [4, '첫째', false, undefined],
      [3, '답글', true, '나독자'],
      [2, '답글의 답글', true, '다독자'],
      [1, '다른 답글', true, '나독자'],
    ])
    expect(totalCount).toBe(5)
  })

  test('count and page with the other comments, 10 on a page', async () => {
    const first = await said('첫째', kim)
    for (let i = 1; i <= 11; i += 1) await said(`${i}`, lee, first)
    expect(await texts()).toEqual(['첫째', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect(await texts(2)).toEqual(['10', '11'])
    expect((await maru.call(getNotice, { noticeId }, kim)).data.commentCount).toBe(12)
  })

  test('keep a deleted comment without text and author until they are deleted', async () => {
    const first = await said('첫째', kim)
    const reply = await said('답글', lee, first)
    const last = await said('답글의 답글', author, reply)
    expect((await remove(first, kim)).status).toBe(200)
    expect((await remove(reply, lee)).status).toBe(200)
    const [placeholder, , answer] = (await list()).comments
    expect(placeholder).toMatchObject({
      text: '',
      userId: '',
      name: '',
      deleted: true,
      editable: false,
      removable: false,
    })
    expect(answer).toMatchObject({ text: '답글의 답글', deleted: false })
    expect(answer?.answeredName).toBeUndefined()
    const { rows } = await query('select body, author_id from notice_comments where id = any($1)', [
      [first, reply],
    ])
    expect(rows).toEqual([
      { body: '', author_id: null },
      { body: '', author_id: null },
    ])
    for (const by of [kim, hr]) expect((await remove(first, by)).code).toBe('COMMENT_NOT_FOUND')
    expect((await maru.call(updateComment, { commentId: first, text: 'x' }, kim)).code).toBe(
      'COMMENT_NOT_FOUND',
    )
    expect((await send('x', kim, first)).code).toBe('COMMENT_NOT_FOUND')
    expect((await remove(last, hr)).status).toBe(200)
    expect(await list()).toEqual({ totalCount: 0, comments: [] })
  })

  test('leave no deleted comment behind if the last two are deleted concurrently', async () => {
    const first = await said('첫째', kim)
    const replies = [await said('하나', lee, first), await said('둘', kim, first)]
    await remove(first, kim)
    await Promise.all(replies.map((reply) => remove(reply, hr)))
    expect((await list()).totalCount).toBe(0)
  })

  test('stay with their comment if it is answered and deleted concurrently', async () => {
    for (let i = 0; i < 5; i += 1) {
      const first = await said(`${i}`, kim)
      const [sent] = await Promise.all([send('답글', lee, first), remove(first, kim)])
      expect(['', 'COMMENT_NOT_FOUND']).toContain(sent.code ?? '')
    }
    const { rows } = await query(
      `select from notice_comments c where author_id is null and not exists (select from notice_comments a where a.answered_id = c.id)`,
    )
    expect(rows).toEqual([])
  })

  test('answer no comment of another notice or a hidden one', async () => {
    const elsewhere = await said('다른 공지', kim)
    const other = noticeId
    noticeId = await write()
    for (const id of [elsewhere, '999999999'])
      expect((await send('x', kim, id)).code).toBe('COMMENT_NOT_FOUND')
    noticeId = other
    await maru.call(updateNotice, { ...FIELDS, noticeId, audienceAffiliations: ['BEL001'] }, author)
    expect((await send('x', lee, elsewhere)).code).toBe('NOTICE_NOT_FOUND')
    await maru.call(updateNotice, { ...FIELDS, noticeId, allowComments: false }, author)
    expect((await send('x', kim, elsewhere)).code).toBe('NOTICE_RESPONSE_OFF')
    expect(await kindsOf(kim)).toEqual([])
  })
})

describe('a reply (rules/notifications#kinds)', () => {
  test('notifies the answered author, never the replying user, and the author of the notice once', async () => {
    const first = await said('첫째', kim)
    await said('내 답글', kim, first)
    expect(await kindsOf(kim)).toEqual([])
    const reply = await said('답글', lee, first)
    expect(await kindsOf(kim)).toEqual(['NOTICE_REPLY 다독자'])
    expect(await kindsOf(author)).toEqual(['NOTICE_COMMENT 다독자'])
    const byAuthor = await said('작성자', author, reply)
    expect(await kindsOf(lee)).toEqual(['NOTICE_REPLY 김작성'])
    await said('다시', kim, byAuthor)
    expect(await kindsOf(author)).toEqual(['NOTICE_REPLY 나독자', 'NOTICE_COMMENT 다독자'])
  })

  test('notifies no user who may not see the notice or log in, with the same response', async () => {
    const [hidden, suspended] = [await said('나', lee), await said('가', kim)]
    await maru.call(updateNotice, { ...FIELDS, noticeId, audienceAffiliations: ['BEL001'] }, author)
    expect((await send('답글', hr, hidden)).status).toBe(200)
    await query('update users set suspended_at = now() where id = $1', [kim.id])
    try {
      expect((await send('답글', hr, suspended)).status).toBe(200)
    } finally {
      await query('update users set suspended_at = null where id = $1', [kim.id])
    }
    const { rows } = await query(`select from notifications where kind = 'NOTICE_REPLY'`)
    expect(rows).toEqual([])
  })

  test('is hidden from a user who may no longer see the notice', async () => {
    await said('답글', kim, await said('나', lee))
    expect(await kindsOf(lee)).toEqual(['NOTICE_REPLY 나독자'])
    await maru.call(updateNotice, { ...FIELDS, noticeId, audienceAffiliations: ['BEL001'] }, author)
    expect(await kindsOf(lee)).toEqual([])
  })
})
