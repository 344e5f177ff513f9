import { beforeAll, describe, expect, test } from 'vitest'
import { checkPassword } from '../../../../contract/account.ts'
import { listHistory } from '../../../../contract/audit.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  changeSharing,
  getColleague,
  getSharing,
  getUser,
  listColleagues,
  updateUser,
} from '../../../../contract/users.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { PASSWORD, type TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

const DAEJEON = 'BEL003'
let user: TestUser
let hr: TestUser
let quiet: TestUser
let open: TestUser
let boss: TestUser

/** Accounts that may not log in, each for another reason. */
const ABSENT: Record<string, string> = {
  withdrawn: 'withdrawn_at = now()',
  suspended: 'suspended_at = now()',
  'suspended by hand': `suspended_at = now(), suspended_for = 'LEAVE'`,
  'not approved': `approval_code = 'MEMAP002'`,
  'not yet valid': `valid_from = (now() at time zone 'Asia/Seoul')::date + 1`,
  expired: `valid_to = (now() at time zone 'Asia/Seoul')::date - 1`,
}
const absent: Record<string, TestUser> = {}

beforeAll(async () => {
  user = await maru.createUser()
  hr = await maru.createUser({ role: 'hr' })
  const here = { affiliation: DAEJEON }
  quiet = await maru.createUser({
    ...here,
    name: '나동료',
    phoneNumber: '01044445555',
    email: 'quiet.one@x.kr',
  })
  open = await maru.createUser({
    ...here,
    name: '가동료',
    phoneNumber: '01066667777',
    email: 'open.one@x.kr',
  })
  boss = await maru.createUser({ ...here, role: 'admin', name: '다동료' })
  await share(open, { phoneShown: true, emailShown: true })
  for (const [why, change] of Object.entries(ABSENT)) {
    const person = await maru.createUser({ ...here, name: `${why} 동료` })
    await share(person, { phoneShown: true, emailShown: true })
    await sql(`update users set ${change} where id = $1`, [person.id])
    absent[why] = person
  }
})

async function share(by: TestUser, shown: InputOf<typeof changeSharing>) {
  await maru.call(checkPassword, { password: PASSWORD }, by)
  const answer = await maru.call(changeSharing, shown, by)
  expect(answer.status).toBe(200)
}
const find = (input: InputOf<typeof listColleagues>, by = user) =>
  maru.call(listColleagues, { affiliationCode: DAEJEON, ...input }, by)
/** Returns the users in the access-log row of a search. */
const seen = async (input: InputOf<typeof listColleagues>) => {
  const { headers } = await find(input)
  const { rows } = await maru.owner.query('select subjects from access_log where request_id = $1', [
    headers['x-request-id'],
  ])
  return rows[0].subjects.map(String).toSorted()
}
const namesOf = async (keyword: string) => (await find({ keyword })).data.colleagues.map(({ name }) => name)
const foundBy = async (keyword: string, by: TestUser) => (await find({ keyword }, by)).data.colleagues
const card = (userId: string, by = user) => maru.call(getColleague, { userId }, by)

describe('the directory (rules/colleagues#directory)', () => {
  test('lists active users by name for every signed-in user, without IDs or roles', async () => {
    const { data, raw } = await find({})
    expect(data).toEqual({
      totalCount: 3,
      colleagues: [
        {
          rowNumber: 3,
          name: '가동료',
          affiliationName: '대전지사',
          teamName: '',
          position: '대리',
          phoneNumber: '01066667777',
          email: 'open.one@x.kr',
          details: [],
        },
        expect.objectContaining({ name: '나동료', phoneNumber: '', email: '' }),
        expect.objectContaining({ name: '다동료', phoneNumber: '', email: '' }),
      ],
    })
    expect(raw).not.toContain(boss.userId)
    expect(
      (
        await maru.call(
          listColleagues,
          { perPage: 2, page: 2, affiliationCode: DAEJEON },
          { ...user, language: 'en' },
        )
      ).data,
    ).toEqual({
      totalCount: 3,
      colleagues: [
        expect.objectContaining({ rowNumber: 1, name: '다동료', affiliationName: 'Daejeon branch' }),
      ],
    })
    expect((await maru.call(listColleagues, {}, {})).code).toBe('SESSION_REQUIRED')
  })

  test('leaves out exactly who may not log in', async () => {
    expect(await namesOf('동료')).toEqual(['가동료', '나동료', '다동료'])
    const { rows } = await sql(
      `select name from users u where affiliation_code = $1 and login_refusal(u) is null order by name`,
      [DAEJEON],
    )
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(['가동료', '나동료', '다동료'])
  })

  test('lists Korean names first, then all others', async () => {
    const affiliation = 'BEL004'
    for (const name of ['Zoe Kim', '하나', '王小明', '가온', 'adam'])
      await maru.createUser({ affiliation, name, email: `${name.length}.${Math.random()}@x.kr` })
    const names = async (page: number) =>
      (await find({ affiliationCode: affiliation, perPage: 3, page })).data.colleagues.map(({ name }) => name)
    expect([...(await names(1)), ...(await names(2))]).toEqual(['가온', '하나', 'adam', 'Zoe Kim', '王小明'])
  })

  test('searches by name and by shared fields only, and reveals no others', async () => {
    for (const keyword of ['가동', '동료', '가', '6666', '010-6666-7777', 'OPEN.one'])
      expect(await namesOf(keyword), keyword).toContain('가동료')
    // Hidden numbers and addresses, IDs, and what is hidden together with what is not.
    for (const keyword of ['4444', '010-4444-5555', 'quiet.one', quiet.userId, open.userId, '%', '-', '가료'])
      expect(await namesOf(keyword), keyword).toEqual([])
    expect(await namesOf('@x.kr')).toEqual(['가동료'])
  })
})

describe('a count of the directory (rules/audit#counted-people)', () => {
  test('finds initial consonants and the wrong keyboard layout, only of whom and what they show (rules/colleagues#directory)', async () => {
    expect(await namesOf('ㄱㄷㄹ')).toEqual(['가동료'])
    expect(await namesOf('ㄷㄹ')).toEqual(['가동료', '나동료', '다동료'])
    expect(await namesOf('ㄹㄷ')).toEqual([])
    expect(await namesOf('skehdfy')).toEqual(['나동료'])
    // open.one and quiet.one: only the first shows the email.
    expect(await namesOf('ㅐㅔ두.ㅐㅜㄷ')).toEqual(['가동료'])
    expect(await namesOf('벼ㅑㄷㅅ.ㅐㅜㄷ')).toEqual([])
  })

  test('is logged for everyone whom a search finds, past the end and on other pages', async () => {
    const all = [quiet.id, open.id, boss.id].toSorted()
    expect(await seen({ keyword: '가동료', page: 2 })).toEqual([open.id])
    expect(await seen({ keyword: '동료', perPage: 1 })).toEqual(all)
    // Without a search a count says nothing about a person.
    expect(await seen({ page: 9 })).toEqual([])
  })
})

describe('the profile card (rules/colleagues#profile-card)', () => {
  test('shows what the user shares, and everything to them and their administrators', async () => {
    const hidden = { phoneNumber: '', email: '' }
    const whole = { phoneNumber: '01044445555', email: 'quiet.one@x.kr' }
    const basic = {
      state: 'PRESENT',
      teamName: '',
      otherTeamNames: [],
      name: '나동료',
      affiliationName: '대전지사',
      position: '대리',
      details: [],
    }
    expect((await card(quiet.userId)).data).toEqual({ ...basic, ...hidden, editable: false })
    expect((await card(quiet.userId.toUpperCase(), hr)).data).toEqual({ ...basic, ...whole, editable: true })
    expect((await card(quiet.userId, quiet)).data).toEqual({ ...basic, ...whole, editable: false })
    expect((await card(open.userId)).data).toMatchObject({
      phoneNumber: '01066667777',
      email: 'open.one@x.kr',
    })
    // The user is out of reach of this administrator.
    expect((await card(boss.userId, hr)).data).toMatchObject({ name: '다동료', ...hidden, editable: false })
  })

  test('shows as little of inactive users as of an ID that does not exist', async () => {
    for (const [why, person] of Object.entries(absent)) {
      const state = why === 'withdrawn' ? 'WITHDRAWN' : 'AWAY'
      expect((await card(person.userId)).data, why).toEqual({ state, editable: false })
      expect((await card(person.userId, hr)).data, why).toEqual({ state, editable: true })
    }
    expect((await card('nobody.at.all')).data).toEqual({ state: 'AWAY', editable: false })
  })
})

describe('what colleagues see (rules/colleagues#what-colleagues-see)', () => {
  test('shows and finds phone and email in the own affiliation alone, unless they are hidden', async () => {
    const partner = await maru.createPartner({ affiliation: DAEJEON })
    const [near, far] = [await maru.createUser({ affiliation: DAEJEON, name: '라옆자리', partner }), user]
    const whole = { name: '나동료', phoneNumber: '01044445555', email: 'quiet.one@x.kr' }
    for (const keyword of ['4444', 'quiet.one']) {
      expect(await foundBy(keyword, near), keyword).toEqual([expect.objectContaining(whole)])
      expect(await foundBy(keyword, far), keyword).toEqual([])
    }
    expect((await card(quiet.userId, near)).data).toMatchObject(whole)
    expect((await card(quiet.userId, far)).data).toMatchObject({ phoneNumber: '', email: '' })

    await share(quiet, { phoneShown: false, emailShown: false, phoneHidden: true })
    expect(await foundBy('4444', near)).toEqual([])
    expect(await foundBy('quiet.one', near)).toEqual([expect.objectContaining({ ...whole, phoneNumber: '' })])
    expect((await card(quiet.userId, near)).data).toMatchObject({ ...whole, phoneNumber: '' })
    // A program that does not know the fields changes nothing about them.
    await share(quiet, { phoneShown: false, emailShown: false })
    expect((await card(quiet.userId, near)).data).toMatchObject({ phoneNumber: '' })
    await share(quiet, { phoneShown: false, emailShown: false, phoneHidden: false })
    await sql('update users set withdrawn_at = now() where id = $1', [near.id])
  })

  test('shows nothing of an affiliation to a user who joined it without a decision', async () => {
    const spy = await maru.createUser({ name: '사기웃' })
    expect((await card(quiet.userId, spy)).data).toMatchObject({ phoneNumber: '', email: '' })
    await maru.call(checkPassword, { password: PASSWORD }, spy)
    const { data: own } = await maru.call(getUser, { userId: '' }, spy)
    const { userId, name, position, phoneNumber, email } = own
    const moved = {
      originalUserId: userId,
      userId,
      name,
      position,
      phoneNumber,
      email,
      affiliationCode: DAEJEON,
    }
    expect((await maru.call(updateUser, moved, spy)).status).toBe(200)
    expect((await card(spy.userId, spy)).data).toMatchObject({ affiliationName: '대전지사' })

    expect((await card(quiet.userId, spy)).data).toMatchObject({ phoneNumber: '', email: '' })
    for (const keyword of ['4444', 'quiet.one']) expect(await foundBy(keyword, spy), keyword).toEqual([])
    const [row] = await foundBy('나동료', spy)
    expect(row).toMatchObject({ phoneNumber: '', email: '' })
    // Fields that all colleagues see stay visible.
    expect((await card(open.userId, spy)).data).toMatchObject({ phoneNumber: '01066667777' })
    await sql('update users set withdrawn_at = now() where id = $1', [spy.id])
  })

  test('hides what a program both shows and hides, and shows what an old program shows', async () => {
    const person = await maru.createUser({ name: '아동료', affiliation: DAEJEON })
    await share(person, { phoneShown: true, emailShown: true, phoneHidden: true })
    expect((await card(person.userId)).data).toMatchObject({ phoneNumber: '', email: person.email })
    expect(await foundBy(person.userId, user)).toEqual([expect.objectContaining({ phoneNumber: '' })])
    await share(person, { phoneShown: true, emailShown: false })
    const { data } = await maru.call(getSharing, {}, person)
    expect(data).toEqual({ phoneShown: true, emailShown: false, phoneHidden: false, emailHidden: false })
    expect((await card(person.userId)).data.phoneNumber).not.toBe('')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
  })

  test('hides phone and email from other affiliations by default; changes need the password and are logged', async () => {
    const person = await maru.createUser({ name: '마동료', affiliation: DAEJEON })
    const shown = async () => (await maru.call(getSharing, {}, person)).data
    const usual = { phoneShown: false, emailShown: false, phoneHidden: false, emailHidden: false }
    expect(await shown()).toEqual(usual)
    const wanted = { ...usual, emailShown: true, phoneHidden: true }
    expect((await maru.call(changeSharing, wanted, person)).code).toBe('PASSWORD_CHECK_REQUIRED')
    expect(await shown()).toEqual(usual)
    await share(person, wanted)
    expect(await shown()).toEqual(wanted)
    expect((await card(person.userId)).data).toMatchObject({ phoneNumber: '', email: person.email })
    const { data } = await maru.call(listHistory, { recordKind: 'user', recordId: person.userId }, boss)
    expect(data.rows[0]).toMatchObject({
      action: '동료에게 보이는 정보 변경',
      changes: [
        { item: '이메일을 모든 동료에게 공개', before: '아니오', after: '예' },
        { item: '전화번호 비공개', before: '아니오', after: '예' },
      ],
    })
  })
})
