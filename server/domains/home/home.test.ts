import { beforeAll, describe, expect, test } from 'vitest'
import { listRequests } from '../../../contract/approvals.ts'
import { getToDo } from '../../../contract/home.ts'
import { issueKey, revokeKey } from '../../../contract/keys.ts'
import { confirmNotice } from '../../../contract/notices.ts'
import { listPartners } from '../../../contract/partners.ts'
import { listUsers, VALIDITY } from '../../../contract/users.ts'
import { koreanDay } from '../../../dev/test-kit/days.ts'
import { holderOf, partnerWith } from '../../../dev/test-kit/keys.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../dev/test-kit/round-trips.ts'

/* Pending tasks that the home page shows a user (rules/home#to-do). */
let now = new Date('2026-11-18T12:00:00+09:00')
const maru = useMaru({}, { clock: () => now })
let admin: TestUser
let hr: TestUser
let user: TestUser

const query = (text: string, values: unknown[] = []) => maru.database.pool.query<{ id: string }>(text, values)
const toDo = async (by: TestUser) => (await maru.call(getToDo, {}, by)).data

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  user = await maru.createUser({ role: 'user' })
})

async function notice(title: string, { author = hr, mustRead = true, at = 'now()' } = {}) {
  const { rows } = await query(
    `insert into notices (bullet_code, title, author_id, must_read, published_at)
     values ('BE0001', $1, $2, $3, ${at}) returning id`,
    [title, author.id, mustRead],
  )
  return rows[0]?.id ?? ''
}

describe('what waits', () => {
  test('is empty for a user with no tasks, and reveals nothing about other users’ tasks', async () => {
    expect(await toDo(user)).toEqual({ unconfirmed: [], unconfirmedCount: 0, keys: [] })
    expect(await toDo(hr)).toEqual({
      unconfirmed: [],
      unconfirmedCount: 0,
      requestCount: 0,
      factorResetCount: 0,
      endingCount: 0,
      keys: [],
    })
    expect(await toDo(admin)).toEqual({
      unconfirmed: [],
      unconfirmedCount: 0,
      requestCount: 0,
      factorResetCount: 0,
      endingCount: 0,
      nearLimitCount: 0,
      inspectionCount: 0,
      reviewCount: 0,
      keys: [],
    })
    expect(await maru.call(getToDo, {})).toMatchObject({ status: 401 })
  })

  test('reads the pending tasks in two round trips, the session included', async () => {
    const { session } = admin
    await maru.call(getToDo, {}, { session })
    const statements = await roundTrips(maru.database.pool, () => maru.call(getToDo, {}, { session }))
    expect(statements).toHaveLength(2)
  })

  test('counts nothing of a function that was taken from the role', async () => {
    const { rows } = await maru.database.pool.query<{ function_name: string }>(
      `delete from role_functions where role_code = 'AUT003' returning function_name`,
    )
    expect(await toDo(user)).toEqual({ unconfirmed: [], unconfirmedCount: 0 })
    const names = rows.map((row) => row.function_name)
    expect(names).toContain('autho_key_own')
    await query(`insert into role_functions select 'AUT003', unnest($1::text[])`, [names])
  })
})

describe('must-read notices', () => {
  test('shows three unconfirmed notices and counts all but own and scheduled ones', async () => {
    const ids: string[] = []
    for (const day of [1, 2, 3, 4])
      ids.push(await notice(`필독 ${day}`, { at: `'2026-11-0${day} 09:00+09'` }))
    await notice('읽지 않아도 되는 글', { mustRead: false })
    await notice('예약', { at: `now() + interval '1 day'` })
    const waiting = await toDo(user)
    expect(waiting.unconfirmedCount).toBe(4)
    expect(waiting.unconfirmed.map(({ title }) => title)).toEqual(['필독 4', '필독 3', '필독 2'])
    expect(waiting.unconfirmed[0]).toEqual({
      noticeId: ids[3],
      title: '필독 4',
      userId: hr.userId,
      registeredAt: '2026-11-04 09:00:00',
    })
    expect((await toDo(hr)).unconfirmedCount).toBe(0)

    await maru.call(confirmNotice, { noticeId: ids[3] ?? '' }, user)
    const left = await toDo(user)
    expect(left.unconfirmedCount).toBe(3)
    expect(left.unconfirmed.map(({ title }) => title)).toEqual(['필독 3', '필독 2', '필독 1'])
    expect((await toDo(admin)).unconfirmedCount).toBe(4)
    await query('delete from notices')
  })
})

describe('accounts and requests', () => {
  test('are counted as the lists that they lead to show them, within reach', async () => {
    await maru.createUser({ approved: false, asked: true })
    await maru.createUser({ approved: false, asked: true, role: 'admin' })
    await maru.createUser({ validTo: koreanDay(10) })
    await maru.createUser({ validTo: koreanDay(10), role: 'admin' })
    await maru.createUser({ validTo: koreanDay(90) })
    for (const by of [admin, hr]) {
      const { requestCount, endingCount } = await toDo(by)
      expect(requestCount).toBe((await maru.call(listRequests, {}, by)).data.totalCount)
      expect(endingCount).toBe(
        (await maru.call(listUsers, { validity: VALIDITY.ending }, by)).data.totalCount,
      )
    }
    expect(await toDo(admin)).toMatchObject({ requestCount: 2, endingCount: 2 })
    expect(await toDo(hr)).toMatchObject({ requestCount: 1, endingCount: 1 })
  })

  test('warn users that their own account ends within 30 days', async () => {
    const leaving = await maru.createUser({ validTo: koreanDay(10) })
    const { ownEnd } = await toDo(leaving)
    expect(ownEnd?.validTo).toBe(koreanDay(10))
    // The test does not stop at midnight in Seoul.
    expect([9, 10]).toContain(ownEnd?.daysLeft)
    expect((await toDo(await maru.createUser({ validTo: koreanDay(60) }))).ownEnd).toBeUndefined()
  })
})

const near = async () => {
  const { data } = await maru.call(listPartners, { nearLimit: true, perPage: 100 }, admin)
  expect((await toDo(admin)).nearLimitCount).toBe(data.totalCount)
  return data.partners.map(({ partnerCode }) => partnerCode).toSorted()
}
const issue = async (limits: object, count: number) => {
  const partner = await partnerWith(maru, { limits })
  const { session } = await holderOf(maru, partner)
  for (let i = 0; i < count; i += 1)
    await maru.call(issueKey, { requestKey: `${partner.code} ${i}` }, { session })
  return partner.code
}

describe('partners near a limit (rules/partners#near-a-limit)', () => {
  test('lists partners at 80 % of any current limit while they may issue keys', async () => {
    const day = await issue({ day: 5 }, 4)
    const total = await issue({ day: 100, total: 5 }, 5)
    const half = await issue({ day: 8, week: 8, month: 8, total: 8 }, 4)
    await issue({}, 4)
    await issue({ day: 0 }, 0)
    expect(await near()).toEqual([day, total].toSorted())

    await query('update partners set limit_month = 5 where code = $1', [half])
    expect(await near()).toEqual([day, total, half].toSorted())
    await query('update partners set limit_day = 6 where code = $1', [day])
    await query('update partners set stopped_at = now() where code = $1', [total])
    expect(await near()).toEqual([half])
    // The next month, in Seoul.
    now = new Date('2026-12-01T00:00:00+09:00')
    expect(await near()).toEqual([])
    now = new Date('2026-11-18T12:00:00+09:00')
  })
})

describe('latest keys (rules/home#latest-keys)', () => {
  test('shows the caller’s newest three keys and which of them is revoked', async () => {
    const person = await holderOf(maru, await partnerWith(maru))
    const other = await holderOf(maru, await partnerWith(maru))
    await maru.call(issueKey, { requestKey: 'somebody else’s' }, other)
    const ids: string[] = []
    for (const requestKey of ['one', 'two', 'three', 'four'])
      ids.push((await maru.call(issueKey, { requestKey }, person)).data.keyId)
    await maru.call(revokeKey, { keyId: ids[2] ?? '', reason: '분실' }, admin)
    const { keys } = await toDo(person)
    expect(keys?.map(({ requestKey, revoked }) => [requestKey, revoked])).toEqual([
      ['four', false],
      ['three', true],
      ['two', false],
    ])
    expect(JSON.stringify(keys)).not.toContain('somebody')
  })
})
