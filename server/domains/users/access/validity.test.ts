import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { checkSession, extendSession, getAuthority, listMenus } from '../../../../contract/common.ts'
import {
  extendUser,
  getUser,
  liftSuspension,
  listEnding,
  updateUser,
  withdrawUser,
} from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let user: TestUser

beforeAll(async () => {
  await maru.createPartner({ code: 'HEAD-1' })
})
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  user = await maru.createUser()
})

const day = async (offset: string): Promise<string> =>
  (await sql(`select ((now() at time zone 'Asia/Seoul')::date + $1::interval)::date::text as day`, [offset]))
    .rows[0].day
const endOf = async ({ id }: TestUser) =>
  (await sql('select valid_to from users where id = $1', [id])).rows[0].valid_to
const extend = (by: TestUser, of: TestUser, validTo: string) =>
  maru.call(extendUser, { userId: of.userId, validTo }, by)
const isAlive = async (session: string) => (await maru.call(getAuthority, {}, { session })).status === 200
const list = async (by: TestUser, state: 'ENDING' | 'SUSPENDED' = 'ENDING') =>
  (await maru.call(listEnding, { state, perPage: 100 }, by)).data.users

/** An edit of the admin card alone. */
async function decide(by: TestUser, of: TestUser, change: object) {
  const { data } = await maru.call(getUser, { userId: of.userId }, by)
  const { affiliationCode, position, name, phoneNumber, email, roleCode = 'AUT003' } = data
  const basic = { userId: of.userId, affiliationCode, position, name, phoneNumber, email }
  const card = {
    validFrom: '2020-01-01',
    validTo: '2099-12-31',
    partnerCode: 'HEAD-1',
    approvalCode: 'MEMAP001',
    roleCode,
  } as const
  return maru.call(updateUser, { originalUserId: of.userId, ...basic, ...card, ...change }, by)
}

describe('extending an account by one click (rules/users#extension)', () => {
  test('adds a year to the end and logs old and new values', async () => {
    const person = await maru.createUser({ validFrom: '2020-01-01', validTo: await day('10 days') })
    const answer = await extend(hr, person, await day('10 days'))
    expect(answer.data).toEqual({ validTo: await endOf(person) })
    const { rows } = await sql(`select ($1::date + interval '1 year')::date::text as day`, [
      await day('10 days'),
    ])
    expect(await endOf(person)).toBe(rows[0].day)
    const { rows: audit } = await sql('select action, detail from audit_log where target = $1', [
      person.userId,
    ])
    expect(audit).toEqual([
      { action: 'user.extend', detail: { validTo: { before: await day('10 days'), after: rows[0].day } } },
    ])
  })

  test('adds a year from today after the end, allows logins and revives no session', async () => {
    const person = await maru.createUser({ validTo: await day('-20 days') })
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).code).toBe(
      'ACCOUNT_EXPIRED',
    )
    await extend(admin, person, await day('-20 days'))
    expect(await endOf(person)).toBe(await day('1 year'))
    expect(await isAlive(person.session)).toBe(false)
    expect((await maru.call(login, { loginId: person.userId, password: PASSWORD })).status).toBe(200)
  })

  test('goes to another day that is later than the end, and to no earlier one', async () => {
    const person = await maru.createUser({ validTo: '2087-03-31' })
    const to = (extendTo: string) =>
      maru.call(extendUser, { userId: person.userId, validTo: '2087-03-31', extendTo }, hr)
    expect(await to('2087-03-31')).toMatchObject({ code: 'INPUT_INVALID', field: 'extendTo' })
    expect((await to('2089-01-15')).data).toEqual({ validTo: '2089-01-15' })
    expect(await endOf(person)).toBe('2089-01-15')
  })

  test('stops at 2099-12-31 (rules/frame#dates)', async () => {
    const person = await maru.createUser({ validTo: '2099-06-30' })
    expect((await extend(admin, person, '2099-06-30')).data).toEqual({ validTo: '2099-12-31' })
    expect((await maru.call(getUser, { userId: person.userId }, admin)).data.extendedTo).toBe('')
  })

  test('adds only one year when two click at once, and tells the second', async () => {
    const person = await maru.createUser({ validTo: await day('5 days') })
    const seen = await day('5 days')
    const answers = await Promise.all([extend(admin, person, seen), extend(hr, person, seen)])
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['OK', 'RECORD_CHANGED'])
  })

  test('gives the end that the record announces', async () => {
    const person = await maru.createUser({ validTo: '2026-03-31' })
    expect((await maru.call(getUser, { userId: person.userId }, hr)).data).toMatchObject({
      suspended: false,
      extendedTo: await day('1 year'),
      lastLoginAt: '',
    })
    const endless = await maru.createUser()
    expect((await maru.call(getUser, { userId: endless.userId }, hr)).data.extendedTo).toBe('')
  })

  test('refuses the caller’s own account, 관리자 for HR, and 일반 사용자 as callers (rules/users#extension)', async () => {
    const boss = await maru.createUser({ role: 'admin', validTo: await day('5 days') })
    await sql('update users set suspended_at = now() where id = $1', [boss.id])
    for (const [by, of] of [
      [admin, admin],
      [hr, hr],
      [hr, boss],
      [user, user],
      [user, hr],
    ] as const) {
      expect.soft(await extend(by, of, await day('5 days'))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
      const lift = await maru.call(liftSuspension, { userId: of.userId }, by)
      expect.soft(lift).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await endOf(boss)).toBe(await day('5 days'))
  })
})

describe('the end of a validity', () => {
  test('ends sessions at Korean midnight after the last day, whatever the clocks say', async () => {
    const person = await maru.createUser({ validTo: await day('0 days') })
    expect(await isAlive(person.session)).toBe(true)
    await sql('update users set valid_to = valid_to - 1 where id = $1', [person.id])
    expect(await isAlive(person.session)).toBe(false)
  })

  test('ends sessions for good: a new end does not revive them', async () => {
    const person = await maru.createUser({ validFrom: '2020-01-01', validTo: await day('-1 days') })
    expect((await decide(hr, person, {})).status).toBe(200)
    expect(await isAlive(person.session)).toBe(false)
    expect((await sql('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
  })

  test('ends sessions immediately when an edit sets it in the past', async () => {
    const person = await maru.createUser()
    await decide(hr, person, { validTo: await day('-1 days') })
    expect((await sql('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
  })
})

/** Seconds that were left, but for those that the machine has taken. */
const about = (wanted: number) => expect.toSatisfy((is: number) => is <= wanted && is > wanted - 10)

test('keeps a session alive only by extension, not by checks, and returns its time (rules/account#session-watch, rules/account#activity)', async () => {
  const seconds = async (call: typeof checkSession | typeof extendSession) => {
    const { idleSeconds, absoluteSeconds, ...rights } = (await maru.call(call, {}, user)).data
    expect(rights).toMatchObject({
      groupName: '일반 사용자',
      functions: expect.arrayContaining(['autho_key_search']),
    })
    return [idleSeconds, absoluteSeconds]
  }
  await sql(
    `update sessions set last_used_at = now() - interval '29 minutes', created_at = now() - interval '11 hours' where user_id = $1`,
    [user.id],
  )
  expect(await seconds(checkSession)).toEqual([about(60), about(3600)])
  const used = () =>
    sql(`select from sessions where user_id = $1 and last_used_at > now() - interval '1 minute'`, [user.id])
  expect((await used()).rowCount).toBe(0)
  expect(await seconds(extendSession)).toEqual([about(1800), about(3600)])
  expect((await used()).rowCount).toBe(1)
  expect(await seconds(checkSession)).toEqual([about(1800), about(3600)])
  const ages = ["last_used_at = now() - interval '31 minutes'", "created_at = now() - interval '12 hours'"]
  for (const age of ages) {
    await sql(`update sessions set last_used_at = now(), created_at = now() where user_id = $1`, [user.id])
    expect((await maru.call(listMenus, {}, user)).status).toBe(200)
    await sql(`update sessions set ${age} where user_id = $1`, [user.id])
    for (const call of [checkSession, extendSession])
      expect(await maru.call(call, {}, user)).toMatchObject({ status: 401, code: 'SESSION_REQUIRED' })
  }
})

/** Creates a user whose last day is this many days away. */
const make = async (inDays: number, more: NewUser = {}) =>
  maru.createUser({ validTo: await day(`${inDays} days`), ...more })

describe('the list of ending accounts (rules/users#ending-accounts)', () => {
  test('covers 30 days before and after, earliest first, with suspended users apart', async () => {
    const [late, soon, ended] = [await make(30), await make(0), await make(-30)]
    await make(31)
    await make(-31)
    await make(5, { approved: false })
    const suspended = await make(5)
    await sql('update users set suspended_at = now() where id = $1', [suspended.id])
    expect((await list(hr)).map(({ userId, daysLeft, rowNumber }) => [userId, daysLeft, rowNumber])).toEqual([
      [ended.userId, -30, 3],
      [soon.userId, 0, 2],
      [late.userId, 30, 1],
    ])
    expect(await list(hr, 'SUSPENDED')).toEqual([
      expect.objectContaining({
        userId: suspended.userId,
        suspended: true,
        suspendedAt: expect.stringMatching(/^\d{4}-/),
        affiliationName: '본사',
      }),
    ])
  })

  test('hides 관리자 from HR (rules/roles#reach) and marks the caller’s own account', async () => {
    await maru.createUser({ role: 'admin', validTo: await day('3 days') })
    await sql('update users set valid_to = $2 where id = $1', [hr.id, await day('3 days')])
    expect((await list(hr)).map(({ userId, isOwn }) => [userId, isOwn])).toEqual([[hr.userId, true]])
    expect(await list(admin)).toHaveLength(2)
  })
})

describe('the longest-lasting 관리자', () => {
  test('cannot be given an end that would lock every administrator out', async () => {
    const other = await maru.createUser({
      role: 'admin',
      validFrom: '2020-01-01',
      validTo: await day('100 days'),
    })
    expect((await decide(other, admin, { validTo: await day('50 days') })).code).toBe('LAST_ADMIN_ENDS')
    expect((await decide(other, admin, { validTo: await day('200 days') })).code).toBe('LAST_ADMIN_ENDS')
    expect(await endOf(admin)).toBeNull()
    expect((await decide(other, admin, { validTo: '2099-12-31' })).status).toBe(200)
  })

  test('cannot be demoted, disapproved or withdrawn before another one is extended', async () => {
    const other = await maru.createUser({
      role: 'admin',
      validFrom: '2020-01-01',
      validTo: await day('100 days'),
    })
    for (const change of [{ roleCode: 'AUT003' }, { approvalCode: 'MEMAP002' }]) {
      expect((await decide(other, admin, change)).code).toBe('LAST_ADMIN_ENDS')
    }
    expect((await maru.call(withdrawUser, { userId: admin.userId }, other)).code).toBe('LAST_ADMIN_ENDS')
    await decide(admin, other, {})
    expect((await maru.call(withdrawUser, { userId: admin.userId }, other)).status).toBe(200)
  })

  test('does not prevent an earlier end for another one', async () => {
    const other = await maru.createUser({
      role: 'admin',
      validFrom: '2020-01-01',
      validTo: await day('100 days'),
    })
    expect((await decide(admin, other, { validTo: await day('2 days') })).status).toBe(200)
  })
})
