import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAuthority } from '../../../../contract/common.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  changeRoles,
  extendUsers,
  listUsers,
  moveUsers,
  previewBulk,
  suspendUsers,
  withdrawUsers,
} from '../../../../contract/users.ts'
import { untilBlocked } from '../../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'
import { koreanDay } from '../../../../dev/test-kit/days.ts'

/* Bulk actions: who can be changed, who cannot and why, all or none, each logged. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
beforeAll(async () => {
  // Mails stay in their queue, where they are read.
  await maru.services.jobs.stop()
  await maru.createPartner({ code: 'HEAD-1' })
  await maru.createPartner({ code: 'BUSAN-1', affiliation: 'BEL002' })
})
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
})

type Preview = InputOf<typeof previewBulk>
const preview = (by: TestUser, input: Preview) => maru.call(previewBulk, input, by)
const versionOf = async (by: TestUser, input: Preview) => (await preview(by, input)).data.version
async function people(count: number, user: NewUser = {}): Promise<TestUser[]> {
  const made = []
  for (let i = 0; i < count; i += 1) made.push(await maru.createUser(user))
  return made
}
const idsOf = (users: readonly TestUser[]) => users.map(({ userId }) => userId)
const column = async (name: string, users: readonly TestUser[]) =>
  (
    await sql(`select ${name}::text as it from users where id = any ($1) order by id`, [
      users.map(({ id }) => id),
    ])
  ).rows.map(({ it }) => it)
const isAlive = async ({ session }: TestUser) =>
  (await maru.call(getAuthority, {}, { session })).status === 200
const trail = async (action: string, { userId }: TestUser) =>
  (
    await sql(`select detail, records from audit_log where action = $1 and target = $2 order by id`, [
      action,
      userId,
    ])
  ).rows

describe('many people at once (rules/users#bulk-changes, rules/users#excluded-users)', () => {
  test('counts the changed users, names obstacles and reasons, and writes nothing', async () => {
    const able = await people(2, { validTo: '2087-01-01' })
    const [late] = await people(1, { validFrom: '2095-01-01', validTo: '2096-01-01' })
    const [endless] = await people(1)
    const boss = await maru.createUser({ role: 'admin', name: '높은이' })
    const userIds = [...idsOf(able), ...idsOf([late!, endless!, boss, hr]), 'nobody.there']
    const before = await sql('select count(*)::int as n from audit_log')
    const { data } = await preview(hr, { userIds, bulkAction: 'extend', validTo: '2090-06-30' })
    expect(data).toMatchObject({ userCount: 2, obstacleCount: 5 })
    expect(data.users).toEqual(
      able.map(({ userId }) => ({ userId, name: expect.any(String), present: '2087-01-01' })),
    )
    expect(Object.fromEntries(data.obstacles.map(({ userId, obstacle }) => [userId, obstacle]))).toEqual({
      [late!.userId]: 'STARTS_LATER',
      [endless!.userId]: 'ALREADY',
      [boss.userId]: 'OUT_OF_REACH',
      [hr.userId]: 'OWN',
      'nobody.there': 'GONE',
    })
    expect(JSON.stringify(data)).not.toContain('높은이')
    expect(data.obstacleCounts).toContainEqual({ obstacle: 'OWN', userCount: 1 })
    expect((await sql('select count(*)::int as n from audit_log')).rows).toEqual(before.rows)
  })

  test('changes all who can be, with an audit row for each like a single change', async () => {
    const some = await people(3, { validTo: '2087-01-01' })
    const [expired] = await people(1, { validTo: '2020-01-01' })
    const asked = { userIds: [...idsOf([...some, expired!]), hr.userId], validTo: '2090-06-30' }
    const version = await versionOf(hr, { ...asked, bulkAction: 'extend' })
    expect((await maru.call(extendUsers, { ...asked, version }, hr)).data).toEqual({ userCount: 4 })
    expect(await column('valid_to', [...some, expired!])).toEqual(
      Array.from({ length: 4 }, () => '2090-06-30'),
    )
    expect(await trail('user.extend', some[0]!)).toEqual([
      {
        detail: { validTo: { before: '2087-01-01', after: '2090-06-30' } },
        records: [`user/${some[0]!.id}`],
      },
    ])
    // Sessions of an account that had ended stay ended; the others go on.
    expect(await isAlive(some[0]!)).toBe(true)
    expect(await isAlive(expired!)).toBe(false)
  })

  test('extends each by a year from its own end, as one is (rules/users#bulk-changes)', async () => {
    const [first] = await people(1, { validTo: '2087-01-01' })
    const [leap] = await people(1, { validTo: '2088-02-29' })
    const [expired] = await people(1, { validTo: '2020-01-01' })
    const [last] = await people(1, { validTo: '9999-12-31' })
    const [endless] = await people(1)
    const asked = { userIds: idsOf([first!, leap!, expired!, last!, endless!]), validTo: '' }
    const { data } = await preview(hr, { ...asked, bulkAction: 'extend' })
    const ownEnd = data.users.find(({ userId }) => userId === expired!.userId)?.present.slice(-10) ?? ''
    expect(data.users.map(({ present }) => present)).toEqual([
      '2087-01-01 → 2088-01-01',
      '2088-02-29 → 2089-02-28',
      `2020-01-01 → ${ownEnd}`,
    ])
    expect(data.obstacleCounts).toEqual([{ obstacle: 'ALREADY', userCount: 2 }])
    const { version } = data
    expect((await maru.call(extendUsers, { ...asked, validTo: '2090-01-01', version }, hr)).code).toBe(
      'RECORD_CHANGED',
    )
    expect((await maru.call(extendUsers, { ...asked, version }, hr)).data).toEqual({ userCount: 3 })
    expect(await column('valid_to', [first!, leap!, expired!, last!, endless!])).toEqual([
      '2088-01-01',
      '2089-02-28',
      ownEnd,
      '9999-12-31',
      null,
    ])
    expect(ownEnd > koreanDay(360)).toBe(true)
    expect(await trail('user.extend', leap!)).toMatchObject([
      { detail: { validTo: { before: '2088-02-29', after: '2089-02-28' } } },
    ])
    expect(await trail('user.extend', last!)).toEqual([])
  })

  test('names as reason that accounts await their approval, unlike accounts without an end', async () => {
    const waiting = await maru.createUser({ approved: false, validTo: null })
    const endless = await maru.createUser()
    const userIds = idsOf([waiting, endless])
    for (const validTo of ['', '2090-06-30']) {
      const { data } = await preview(hr, { userIds, bulkAction: 'extend', validTo })
      expect(data.obstacles).toMatchObject([
        { userId: waiting.userId, obstacle: 'NOT_APPROVED' },
        { userId: endless.userId, obstacle: 'ALREADY' },
      ])
    }
  })

  test('refuses all after a colleague’s edit between preview and change', async () => {
    const some = await people(2, { validTo: '2087-01-01' })
    const asked = { userIds: idsOf(some), validTo: '2090-06-30' }
    const version = await versionOf(hr, { ...asked, bulkAction: 'extend' })
    await sql(`update users set position = '부장' where id = $1`, [some[1]!.id])
    expect(await maru.call(extendUsers, { ...asked, version }, hr)).toMatchObject({ code: 'RECORD_CHANGED' })
    expect(await column('valid_to', some)).toEqual(['2087-01-01', '2087-01-01'])
    const fresh = await versionOf(hr, { ...asked, bulkAction: 'extend' })
    // A preview of another day, or of another action, is another one.
    expect(
      await maru.call(extendUsers, { ...asked, validTo: '2091-01-01', version: fresh }, hr),
    ).toMatchObject({
      code: 'RECORD_CHANGED',
    })
    expect((await maru.call(extendUsers, { ...asked, version: fresh }, hr)).status).toBe(200)
  })

  test('gives no hint about out-of-reach users in the version of a preview', async () => {
    const asked: Preview = { userIds: [admin.userId], bulkAction: 'withdraw' }
    const version = await versionOf(hr, asked)
    await sql(`update users set phone_number = '01077778888', email = 'boss@maru.kr' where id = $1`, [
      admin.id,
    ])
    expect(await versionOf(hr, asked)).toBe(version)
  })

  test('waits for an edit under way and is refused for it', async () => {
    const [person] = await people(1)
    const asked = { userIds: idsOf([person!]) }
    const version = await versionOf(hr, { ...asked, bulkAction: 'withdraw' })
    const client = await maru.database.pool.connect()
    await client.query('begin')
    await client.query(`update users set name = '새이름' where id = $1`, [person!.id])
    const call = maru.call(withdrawUsers, { ...asked, version }, hr)
    await untilBlocked(client)
    await client.query('commit')
    client.release()
    expect((await call).code).toBe('RECORD_CHANGED')
    expect(await column('withdrawn_at', [person!])).toEqual([null])
  })

  test('changes all search results except exclusions, and refuses newly found users', async () => {
    const some = await people(3, { name: '찾은이' })
    const found = { name: '찾은이' }
    const asked = { found, except: [some[0]!.userId], affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }
    const { data } = await preview(hr, { ...asked, bulkAction: 'move' })
    expect(data).toMatchObject({ userCount: 2, users: [{ present: '본사' }, {}] })
    await people(1, { name: '찾은이' })
    expect((await maru.call(moveUsers, { ...asked, version: data.version }, hr)).code).toBe('RECORD_CHANGED')
    const version = await versionOf(hr, { ...asked, bulkAction: 'move' })
    expect((await maru.call(moveUsers, { ...asked, version }, hr)).data).toEqual({ userCount: 3 })
    expect(await column('affiliation_code', some)).toEqual(['BEL001', 'BEL002', 'BEL002'])
    expect((await maru.call(listUsers, { affiliationCode: 'BEL002' }, hr)).data.totalCount).toBe(3)
    expect((await preview(hr, { ...asked, partnerCode: 'HEAD-1', bulkAction: 'move' })).code).toBe(
      'PARTNER_NOT_FOUND',
    )
    const stopped = await maru.createPartner({ affiliation: 'BEL002' })
    await sql('update partners set stopped_at = now() where code = $1', [stopped])
    expect((await preview(hr, { ...asked, partnerCode: stopped, bulkAction: 'move' })).code).toBe(
      'PARTNER_STOPPED',
    )
    expect(await trail('user.update', some[1]!)).toMatchObject([
      { detail: { affiliationCode: { before: 'BEL001', after: 'BEL002' } } },
    ])
  })

  test('decides the requests for the new affiliation and notifies like a single edit', async () => {
    const [same, other] = await people(2)
    for (const [{ id }, to] of [
      [same!, 'BEL002'],
      [other!, 'BEL003'],
    ] as const) {
      await sql(
        `insert into approval_requests (user_id, login_id, name, email, affiliation_code, kind, to_affiliation_code)
          select id, login_id, name, email, affiliation_code, 'affiliation', $2 from users where id = $1`,
        [id, to],
      )
    }
    const asked = { userIds: idsOf([same!, other!]), affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }
    const version = await versionOf(hr, { ...asked, bulkAction: 'move' })
    expect((await maru.call(moveUsers, { ...asked, version }, hr)).status).toBe(200)
    const { rows } = await sql(
      `select user_id, state, decided_by from approval_requests where user_id = any ($1) order by user_id`,
      [[same!.id, other!.id]],
    )
    expect(rows).toEqual([
      { user_id: same!.id, state: 'approved', decided_by: hr.id },
      { user_id: other!.id, state: 'waiting', decided_by: null },
    ])
    const mails = await sql('select recipient from mails where recipient = any ($1)', [
      [same!.email, other!.email],
    ])
    expect(mails.rows).toEqual([{ recipient: same!.email }])
  })

  test('grants roles within reach and keeps the last 관리자', async () => {
    const [one, two] = await people(2)
    const asked = { userIds: idsOf([one!, two!]), roleCode: 'AUT002' }
    const version = await versionOf(hr, { ...asked, bulkAction: 'role' })
    expect((await maru.call(changeRoles, { ...asked, version }, hr)).data).toEqual({ userCount: 2 })
    expect(await column('role_code', [one!, two!])).toEqual(['AUT002', 'AUT002'])
    expect((await preview(hr, { ...asked, roleCode: 'AUT001', bulkAction: 'role' })).code).toBe('FORBIDDEN')
    // Somebody who may act on 관리자 and is none.
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT960', '부관리자', 'Deputy', 9)`,
    )
    await sql(`insert into role_functions select 'AUT960', name from functions`)
    const deputy = await maru.createUser()
    await sql(`update users set role_code = 'AUT960' where id = $1`, [deputy.id])
    const others = { userIds: idsOf([admin, one!]), roleCode: 'AUT003' }
    const { data } = await preview(deputy, { ...others, bulkAction: 'role' })
    expect(data).toMatchObject({
      userCount: 1,
      obstacles: [{ userId: admin.userId, obstacle: 'LAST_ADMIN' }],
    })
    expect((await maru.call(changeRoles, { ...others, version: data.version }, deputy)).data).toEqual({
      userCount: 1,
    })
    const second = await maru.createUser({ role: 'admin' })
    const both = { userIds: idsOf([admin, second]) }
    expect((await preview(deputy, { ...both, bulkAction: 'withdraw' })).data).toMatchObject({ userCount: 0 })
    const first = { userIds: idsOf([admin]) }
    expect((await preview(deputy, { ...first, bulkAction: 'withdraw' })).data).toMatchObject({ userCount: 1 })
  })

  test('withdraws and suspends approved accounts with a reason and ends their sessions', async () => {
    const [one, two, three] = await people(3)
    const [waiting] = await people(1, { approved: false })
    const asked = { userIds: idsOf([one!, waiting!]) }
    const { data } = await preview(hr, { ...asked, bulkAction: 'withdraw' })
    expect(data.obstacles).toMatchObject([{ userId: waiting!.userId, obstacle: 'NOT_APPROVED' }])
    await maru.call(withdrawUsers, { ...asked, withdrawnReason: '지사 폐쇄', version: data.version }, hr)
    expect(await column('withdrawn_reason', [one!])).toEqual(['지사 폐쇄'])
    expect(await column('withdrawn_by', [one!])).toEqual([hr.id])
    expect(await trail('user.withdraw', one!)).toMatchObject([{ detail: { reason: '지사 폐쇄' } }])
    const leave = { userIds: idsOf([two!, three!]) }
    const version = await versionOf(hr, { ...leave, bulkAction: 'suspend' })
    const why = { suspendedFor: 'LEAVE', reason: '휴가' } as const
    expect((await maru.call(suspendUsers, { ...leave, ...why, version }, hr)).data).toEqual({ userCount: 2 })
    expect(await column('suspended_for', [two!, three!])).toEqual(['LEAVE', 'LEAVE'])
    expect(await Promise.all([one!, two!, three!].map(isAlive))).toEqual([false, false, false])
    expect((await preview(hr, { ...leave, bulkAction: 'suspend' })).data.obstacleCounts).toEqual([
      { obstacle: 'ALREADY', userCount: 2 },
    ])
    const none = await versionOf(hr, { ...leave, bulkAction: 'suspend' })
    expect((await maru.call(suspendUsers, { ...leave, ...why, version: none }, hr)).code).toBe('BULK_NOBODY')
  })

  test('is closed to 일반 사용자 and takes neither nobody nor more than 10,000', async () => {
    const [person] = await people(1)
    const asked: Preview = { userIds: [hr.userId], bulkAction: 'withdraw' }
    expect((await preview(person!, asked)).code).toBe('FORBIDDEN')
    expect((await preview(hr, { bulkAction: 'withdraw' })).code).toBe('INPUT_INVALID')
    expect((await preview(hr, { ...asked, found: {} })).code).toBe('INPUT_INVALID')
    expect((await preview(hr, { userIds: [hr.userId], bulkAction: 'extend' })).code).toBe('INPUT_INVALID')
  })
})

describe('10,000 people (rules/users#bulk-changes)', () => {
  test('finds, moves and extends them in fixed round trips, and logs each', async () => {
    // The owner's statements have no time limit, which a busy machine may exceed.
    await maru.owner.query(
      `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code, valid_to)
       select 'many.' || n, '-', '많은이' || n, '사원', '010' || lpad(n::text, 8, '0'), 'many' || n || '@example.com', 'BEL001',
         'AUT003', 'MEMAP001', '2087-01-01' from generate_series(1, 10001) n`,
    )
    const found = { keyword: 'many.' }
    expect((await maru.call(listUsers, found, hr)).data.totalCount).toBe(10_001)
    expect((await preview(hr, { found, bulkAction: 'withdraw' })).code).toBe('BULK_TOO_LARGE')
    const chosen = { found, except: ['many.7'] }
    const { pool } = maru.database
    const place = { affiliationCode: 'BEL002', partnerCode: 'BUSAN-1' }
    let version = ''
    const looked = await roundTrips(pool, async () => {
      version = await versionOf(hr, { ...chosen, ...place, bulkAction: 'move' })
    })
    const moved = await roundTrips(pool, async () => {
      const { data } = await maru.call(moveUsers, { ...chosen, ...place, version }, hr)
      expect(data).toEqual({ userCount: 10_000 })
    })
    const day = { validTo: '2088-12-31' }
    version = await versionOf(hr, { ...chosen, ...day, bulkAction: 'extend' })
    const extended = await roundTrips(pool, async () => {
      expect((await maru.call(extendUsers, { ...chosen, ...day, version }, hr)).data).toEqual({
        userCount: 10_000,
      })
    })
    expect([looked.length, moved.length, extended.length]).toEqual([6, 9, 6])
    const { rows } = await sql(
      `select action, count(*)::int as n, count(distinct target)::int as people from audit_log
       where target like 'many.%' group by 1 order by 1`,
    )
    expect(rows).toEqual([
      { action: 'user.extend', n: 10_000, people: 10_000 },
      { action: 'user.update', n: 10_000, people: 10_000 },
    ])
    const left = await sql(`select affiliation_code, valid_to from users where login_id = 'many.7'`)
    expect(left.rows).toEqual([{ affiliation_code: 'BEL001', valid_to: '2087-01-01' }])
    expect((await maru.call(listUsers, { affiliationCode: 'BEL002' }, hr)).data.totalCount).toBe(10_000)
  })
})
