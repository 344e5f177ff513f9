import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createComment,
  createNotice,
  deleteComment,
  listComments,
  updateComment,
  updateNotice,
} from '../../../contract/notices.ts'
import { listMentionable } from '../../../contract/notices/mentions.ts'
import { chooseNotification, listNotifications, MAIL } from '../../../contract/notifications.ts'
import { changeParent } from '../../../dev/test-kit/affiliations.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { mailAtOnce } from '../notifications/index.ts'
import { eraseWithdrawn } from '../users/index.ts'

/* Mentions in comments, and who is notified of them (rules/notices#mentions). */
const maru = useMaru({ SMTP_URL: 'smtp://127.0.0.1:9', PORTAL_URL: 'https://portal.example.kr' })
const FIELDS = { bulletCode: 'BE0001', title: '점검', memo: '' } as const
let admin: TestUser
let author: TestUser
let writer: TestUser
let kim: TestUser
let lee: TestUser
let hr: TestUser
let noticeId: string

const query = (text: string, values: unknown[] = []) => maru.owner.query(text, values)
const publish = async (more = {}) =>
  (await maru.call(createNotice, { ...FIELDS, ...more }, author)).data.noticeId
const narrow = (audienceAffiliations: string[]) =>
  maru.call(updateNotice, { ...FIELDS, noticeId, audienceAffiliations }, author)
const search = async (keyword: string, by = writer) =>
  (await maru.call(listMentionable, { noticeId, keyword }, by)).data.mentionables
const namesFor = async (keyword: string, by = writer) => (await search(keyword, by)).map(({ name }) => name)
const send = (text: string, mentioned: readonly { id: string }[], by = writer, answeredId?: string) =>
  maru.call(createComment, { noticeId, text, answeredId, mentionIds: mentioned.map(({ id }) => id) }, by)
const edit = (commentId: string, text: string, mentioned: readonly { id: string }[]) =>
  maru.call(updateComment, { commentId, text, mentionIds: mentioned.map(({ id }) => id) }, writer)
const said = async (...args: Parameters<typeof send>) => (await send(...args)).data.commentId
const comments = async () =>
  (await maru.call(listComments, { noticeId }, author)).data.comments.map(({ text, mentionedNames = [] }) => [
    text,
    ...mentionedNames.toSorted(),
  ])
/** The kinds of a user's notifications of this notice, the newest first. */
const kindsOf = async (by: TestUser) =>
  (await maru.call(listNotifications, {}, by)).data.notifications
    .filter((one) => one.noticeId === noticeId)
    .map(({ kind, name }) => `${kind} ${name}`)
const withdraw = (user: TestUser) =>
  query(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [user.id])
const erase = () =>
  maru.database.db.transaction().execute((tx) => eraseWithdrawn(tx, 30, 100, maru.services.keySecret))

async function setExternal(affiliationCode: string): Promise<void> {
  expect((await changeParent(maru, affiliationCode, { external: true }, admin)).status).toBe(200)
}

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '관리자' })
  author = await maru.createUser({ name: '김작성' })
  writer = await maru.createUser({ name: '나글쓴이' })
  kim = await maru.createUser({ name: '김철' })
  lee = await maru.createUser({ name: '김철수', affiliation: 'BEL002' })
  hr = await maru.createUser({ role: 'hr', name: '김철인사', affiliation: 'BEL003' })
})

beforeEach(async () => {
  await query('delete from notices')
  await query('delete from notifications')
  await query('delete from rate_limits')
  noticeId = await publish()
})

describe('listMentionable (rules/notices#mentions)', () => {
  it('offers readers of the notice with what the directory shows, without the caller', async () => {
    expect(await namesFor('김철')).toEqual(['김철', '김철수', '김철인사'])
    expect(await namesFor('김철', kim)).toEqual(['김철수', '김철인사'])
    expect(await namesFor('ㄱㅊㅅ')).toEqual(['김철수'])
    expect((await search('김철수'))[0]).toEqual({
      mentionId: lee.id,
      name: '김철수',
      affiliationName: '부산지사',
      teamName: '',
      position: '대리',
    })
    await narrow(['BEL001'])
    expect(await namesFor('김철')).toEqual(['김철', '김철인사'])
  })

  it('offers at most 5 people', async () => {
    for (let i = 0; i < 6; i += 1) await maru.createUser({ name: `표본${i}` })
    expect(await namesFor('표본')).toEqual(['표본0', '표본1', '표본2', '표본3', '표본4'])
  })

  it('omits users who may not log in', async () => {
    await query(`update users set suspended_at = now() where id = $1`, [kim.id])
    try {
      expect(await namesFor('김철')).toEqual(['김철수', '김철인사'])
    } finally {
      await query(`update users set suspended_at = null where id = $1`, [kim.id])
    }
  })

  it('searches fewer than two letters only among those who take part in the discussion', async () => {
    expect(await namesFor('')).toEqual(['김작성'])
    await said('의견', [], lee)
    await said('의견', [])
    expect(await namesFor('')).toEqual(['김작성', '김철수'])
    expect(await namesFor('수')).toEqual(['김철수'])
    expect(await namesFor('- 철')).toEqual([])
    await narrow(['BEL001'])
    expect(await namesFor('')).toEqual(['김작성'])
  })

  it('offers people of another company only their own colleagues', async () => {
    await setExternal('BEL006')
    const [outside, colleague] = [
      await maru.createUser({ affiliation: 'BEL006', name: '외부인' }),
      await maru.createUser({ affiliation: 'BEL006', name: '김철동료' }),
    ]
    await narrow(['BEL001', 'BEL002', 'BEL006'])
    expect(await namesFor('김철', outside)).toEqual(['김철동료'])
    expect(await namesFor('', outside)).toEqual([])
    expect(await namesFor('김철')).toEqual(['김철', '김철동료', '김철수', '김철인사'])
    expect((await send('@김철', [kim], outside)).code).toBe('MENTION_NOT_FOUND')
    expect((await send('@김철동료', [colleague], outside)).status).toBe(200)
  })

  it('refuses a hidden notice and one without comments, and counts neither as a search', async () => {
    await narrow(['BEL001'])
    const ask = (by: TestUser) => maru.call(listMentionable, { noticeId, keyword: '김철' }, by)
    expect((await ask(lee)).code).toBe('NOTICE_NOT_FOUND')
    await maru.call(updateNotice, { ...FIELDS, noticeId, allowComments: false }, author)
    const { rows } = await query(`select from rate_limits where key like 'colleagues%'`)
    const before = rows.length
    expect((await ask(hr)).code).toBe('NOTICE_RESPONSE_OFF')
    expect((await query(`select from rate_limits where key like 'colleagues%'`)).rows).toHaveLength(before)
  })

  it('records in the access log whom it returned', async () => {
    const { headers } = await maru.call(listMentionable, { noticeId, keyword: '김철수' }, writer)
    const { rows } = await query('select act, subjects::text[] from access_log where request_id = $1', [
      headers['x-request-id'],
    ])
    expect(rows).toEqual([{ act: 'search', subjects: [lee.id] }])
  })
})

describe('a mention (rules/notices#mentions)', () => {
  it('is stored with its comment and notifies the person (rules/notifications#kinds)', async () => {
    await said('@김철 @김철수 확인해 주세요 @모르는사람', [kim, lee, kim])
    expect(await comments()).toEqual([['@김철 @김철수 확인해 주세요 @모르는사람', '김철', '김철수']])
    for (const user of [kim, lee]) expect(await kindsOf(user)).toEqual(['NOTICE_MENTION 나글쓴이'])
    expect(await kindsOf(author)).toEqual(['NOTICE_COMMENT 나글쓴이'])
  })

  it('notifies neither its writer nor a person twice', async () => {
    await said('@나글쓴이 @김작성', [writer, author])
    expect(await kindsOf(writer)).toEqual([])
    expect(await kindsOf(author)).toEqual(['NOTICE_MENTION 나글쓴이'])
    const first = await said('첫째', [], kim)
    const reply = await said('@김철 @김철수', [kim, lee], writer, first)
    expect(await kindsOf(kim)).toEqual(['NOTICE_REPLY 나글쓴이'])
    expect(await kindsOf(lee)).toEqual(['NOTICE_MENTION 나글쓴이'])
    await query('delete from notifications')
    await edit(reply, '@김철 @김철수 고침', [kim, lee])
    for (const user of [kim, lee]) expect(await kindsOf(user)).toEqual([])
    const other = await said('답글', [], writer, first)
    await query('delete from notifications')
    await edit(other, '@김철 @김철인사', [kim, hr])
    expect(await kindsOf(kim)).toEqual([])
    expect(await kindsOf(hr)).toEqual(['NOTICE_MENTION 나글쓴이'])
  })

  it('stays in an edited comment, whose new mentions alone notify', async () => {
    const commentId = await said('@김철수', [lee])
    await query('delete from notifications')
    expect((await edit(commentId, '@김철수 @김철', [kim])).status).toBe(200)
    expect(await comments()).toEqual([['@김철수 @김철', '김철', '김철수']])
    expect([await kindsOf(kim), await kindsOf(lee)]).toEqual([['NOTICE_MENTION 나글쓴이'], []])
    // Removed and added again.
    await edit(commentId, '없음', [])
    await edit(commentId, '@김철수', [lee])
    expect(await kindsOf(lee)).toEqual([])
  })

  it('is of at most 10 people a comment, those of earlier texts included', async () => {
    const people = await Promise.all(
      Array.from({ length: 11 }, (_, n) => maru.createUser({ name: `십일${n}번` })),
    )
    const text = people.map((_, n) => `@십일${n}번`).join(' ')
    expect((await send(text, people)).code).toBe('INPUT_INVALID')
    const commentId = await said(text, people.slice(0, 10))
    expect((await edit(commentId, text, people.slice(9))).code).toBe('MENTIONS_TOO_MANY')
    expect((await edit(commentId, text, people.slice(0, 10))).status).toBe(200)
    expect(await kindsOf(people[10] ?? kim)).toEqual([])
  })

  it('refuses anybody else with the same response, and stores nothing', async () => {
    await narrow(['BEL001'])
    const [suspended, withdrawn, waiting] = await Promise.all([
      maru.createUser({ name: '없는이' }),
      maru.createUser({ name: '없는이' }),
      maru.createUser({ name: '없는이', approved: false }),
    ])
    await query(`update users set suspended_at = now() where id = $1`, [suspended.id])
    await query(`update users set withdrawn_at = now() where id = $1`, [withdrawn.id])
    const text = '@김철수 @없는이 @김인사'
    const commentId = await said('내 댓글', [])
    const refusals = []
    // Outside the audience; not able to log in; unknown; readable, but not named.
    for (const person of [lee, suspended, withdrawn, waiting, { id: '999999999' }, hr])
      for (const answer of [await send(text, [person]), await edit(commentId, text, [person])])
        refusals.push([answer.status, answer.code, answer.msg])
    expect(new Set(refusals.map(String)).size).toBe(1)
    expect(refusals[0]?.[1]).toBe('MENTION_NOT_FOUND')
    expect((await send('@김철', [kim, { id: '999999999' }])).code).toBe('MENTION_NOT_FOUND')
    for (const id of ['0', '-1', "1' or 1=1", kim.userId])
      expect((await send('@김철', [{ id }])).code).toBe('INPUT_INVALID')
    expect(await comments()).toEqual([['내 댓글']])
    expect((await query('select from notice_comment_mentions')).rows).toEqual([])
    const { rows } = await query(`select from notifications where kind = 'NOTICE_MENTION'`)
    expect(rows).toEqual([])
  })

  it('is mailed as the person chose, unless they may no longer see the notice (rules/notifications#choices)', async () => {
    for (const user of [kim, lee])
      await maru.call(chooseNotification, { kind: 'NOTICE_MENTION', shown: true, mail: MAIL.atOnce }, user)
    await said('@김철 @김철수 @김철인사', [kim, lee, hr])
    await narrow(['BEL001'])
    expect(await kindsOf(lee)).toEqual([])
    await mailAtOnce(maru.database.db, maru.services.settings)
    const { rows } = await query('select recipient, subject from mails')
    expect(rows).toEqual([
      { recipient: kim.email, subject: '[주식회사 마루] 나글쓴이 님이 댓글에서 나를 언급했습니다.' },
    ])
  })

  it('ends with its comment, also if a reply keeps the comment’s place', async () => {
    const first = await said('@김철', [kim])
    const reply = await said('@김철', [kim], writer, first)
    await maru.call(deleteComment, { commentId: first }, writer)
    const { rows } = await query('select comment_id::text from notice_comment_mentions')
    expect(rows).toEqual([{ comment_id: reply }])
    expect(await comments()).toEqual([[''], ['@김철', '김철']])
  })
})

describe('the name of an erased user in comments (rules/retention#withdrawn-people)', () => {
  it('is replaced as it was then, but not a longer name that begins with it', async () => {
    const gone = await maru.createUser({ name: '홍길' })
    const stays = await maru.createUser({ name: '홍길동' })
    const odd = await maru.createUser({ name: 'J. (R.) [x]*\\d|O’Hara' })
    await said('@홍길동 @홍길에게 @홍길\n@J. (R.) [x]*\\d|O’Hara! a@b @', [gone, stays, odd])
    await said('@홍길', [gone])
    await said('@홍길동', [stays])
    await query(`update users set name = '개명한이' where id = $1`, [gone.id])
    await withdraw(gone)
    await erase()
    expect(await comments()).toEqual([
      ['@홍길동', '홍길동'],
      ['@탈퇴한 사용자'],
      [
        '@홍길동 @탈퇴한 사용자에게 @탈퇴한 사용자\n@J. (R.) [x]*\\d|O’Hara! a@b @',
        'J. (R.) [x]*\\d|O’Hara',
        '홍길동',
      ],
    ])
    await withdraw(odd)
    await erase()
    expect((await comments())[2]).toEqual([
      '@홍길동 @탈퇴한 사용자에게 @탈퇴한 사용자\n@탈퇴한 사용자! a@b @',
      '홍길동',
    ])
  })
})
