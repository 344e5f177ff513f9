import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getAuthority } from '../../../../contract/common.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import {
  liftSuspension,
  inviteUsers,
  liftUsers,
  listUsers,
  previewBulk,
  restoreUser,
  restoreUsers,
} from '../../../../contract/users.ts'
import { untilBlocked } from '../../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'
import { roundTrips } from '../../../../dev/test-kit/round-trips.ts'

/* Access that is given back to many people at once, as to one. */
const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let hr: TestUser
// Addresses were not reserved before (rules/users#e-mail): a withdrawn account of that time may have lost its own.
beforeAll(() => maru.owner.query('alter table users disable trigger users_email_reserved'))
beforeEach(async () => {
  await sql('update users set withdrawn_at = now() - make_interval(days => 90) where withdrawn_at is null')
  hr = await maru.createUser({ role: 'hr' })
})

const preview = async (input: InputOf<typeof previewBulk>, language = 'ko') =>
  (await maru.call(previewBulk, input, { ...hr, language })).data
const idsOf = (people: readonly TestUser[]) => people.map(({ userId }) => userId)
const obstaclesOf = (data: Awaited<ReturnType<typeof preview>>) =>
  Object.fromEntries(data.obstacles.map(({ userId, obstacle }) => [userId, obstacle]))
const trail = async (action: string, { userId }: TestUser) =>
  (await sql('select detail from audit_log where action = $1 and target = $2', [action, userId])).rows
const sessionsOf = async (people: readonly TestUser[]) =>
  (await sql('select from sessions where user_id = any ($1)', [people.map(({ id }) => id)])).rows.length

async function withdrawn(days: number, user: NewUser = {}): Promise<TestUser> {
  const person = await maru.createUser(user)
  await sql(
    `update users set withdrawn_at = now() - make_interval(days => $2), withdrawn_by = id, withdrawn_reason = '퇴사' where id = $1`,
    [person.id, days],
  )
  return person
}

async function suspended(why: string | null, reason: string | null): Promise<TestUser> {
  const person = await maru.createUser()
  await sql(
    `update users set suspended_at = now(), suspended_for = $2, suspended_reason = $3, confirmed_at = '2020-01-01' where id = $1`,
    [person.id, why, reason],
  )
  return person
}

describe('many withdrawals taken back (rules/users#bulk-changes, rules/users#taking-back)', () => {
  test('previews obstacles: too late, address in use or shared, not withdrawn, no reach', async () => {
    const good = await withdrawn(29)
    const late = await withdrawn(31)
    const boss = await withdrawn(1, { role: 'admin', name: '높은이' })
    const taken = await withdrawn(1, { email: 'taken@example.com' })
    await maru.createUser({ email: 'taken@example.com' })
    const first = await withdrawn(2, { email: 'shared@example.com' })
    const second = await withdrawn(1, { email: 'shared@example.com' })
    const active = await maru.createUser()
    const userIds = idsOf([good, late, boss, taken, first, second, active])
    const data = await preview({ userIds, bulkAction: 'restore' })
    expect(data.users).toEqual([
      {
        userId: good.userId,
        name: expect.any(String),
        present: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      },
    ])
    expect(obstaclesOf(data)).toEqual({
      [late.userId]: 'TOO_LATE',
      [boss.userId]: 'OUT_OF_REACH',
      [taken.userId]: 'EMAIL_TAKEN',
      [first.userId]: 'EMAIL_TWICE',
      [second.userId]: 'EMAIL_TWICE',
      [active.userId]: 'NOT_WITHDRAWN',
    })
    expect(JSON.stringify(data)).not.toContain('높은이')
    // One of the two alone can have the address again.
    expect(await preview({ userIds: [second.userId], bulkAction: 'restore' })).toMatchObject({ userCount: 1 })
    // To everything else somebody withdrawn is gone.
    expect(obstaclesOf(await preview({ userIds: [good.userId], bulkAction: 'suspend' }))).toEqual({
      [good.userId]: 'GONE',
    })
  })

  test('restores and logs each account, restarts inactivity and revives no session', async () => {
    const people = [await withdrawn(3, { name: '돌아올이' }), await withdrawn(2, { name: '돌아올이' })]
    const left = await withdrawn(2, { name: '돌아올이' })
    const single = await withdrawn(1)
    const chosen = { found: { name: '돌아올이' }, except: [left.userId] }
    const { version } = await preview({ ...chosen, bulkAction: 'restore' })
    const trips = await roundTrips(maru.database.pool, async () => {
      expect((await maru.call(restoreUsers, { ...chosen, version }, hr)).data).toEqual({ userCount: 2 })
    })
    expect(trips.length).toBeLessThanOrEqual(8)
    const { rows } = await sql(
      `select withdrawn_at, withdrawn_by, withdrawn_reason, confirmed_at > now() - interval '1 minute' as is_anew
       from users where id = any ($1)`,
      [people.map(({ id }) => id)],
    )
    const back = { withdrawn_at: null, withdrawn_by: null, withdrawn_reason: null, is_anew: true }
    expect(rows).toEqual([back, back])
    expect(await sessionsOf(people)).toBe(0)
    expect((await maru.call(getAuthority, {}, people[0])).code).toBe('SESSION_REQUIRED')
    await maru.call(restoreUser, { userId: single.userId }, hr)
    const before = { before: expect.any(String), after: null }
    for (const person of [...people, single]) {
      expect(await trail('user.restore', person)).toEqual([
        { detail: { withdrawnAt: before, roleCode: { before: null, after: 'AUT003' } } },
      ])
    }
    const gone = await sql('select withdrawn_at from users where id = $1', [left.id])
    expect(gone.rows[0].withdrawn_at).not.toBeNull()
  })

  test('refuses all if an address was taken since the preview', async () => {
    const people = [await withdrawn(1, { email: 'mine@example.com' }), await withdrawn(1)]
    const userIds = idsOf(people)
    const { version } = await preview({ userIds, bulkAction: 'restore' })
    await maru.createUser({ email: 'mine@example.com' })
    expect((await maru.call(restoreUsers, { userIds, version }, hr)).code).toBe('RECORD_CHANGED')
    const again = await preview({ userIds, bulkAction: 'restore' })
    expect(obstaclesOf(again)).toEqual({ [people[0]!.userId]: 'EMAIL_TAKEN' })
    expect((await maru.call(restoreUsers, { userIds, version: again.version }, hr)).data).toEqual({
      userCount: 1,
    })
  })
})

describe('an address that is being taken (rules/users#bulk-changes)', () => {
  test('is waited for, and refuses the whole', async () => {
    const people = [await withdrawn(1, { email: 'contested@example.com' }), await withdrawn(1)]
    const userIds = idsOf(people)
    const { version } = await preview({ userIds, bulkAction: 'restore' })
    const client = await maru.database.pool.connect()
    await client.query('begin')
    await client.query(
      `insert into users (login_id, password_hash, name, position, phone_number, email, affiliation_code, role_code, approval_code)
       values ('contester', '-', '새사람', '사원', '01099998888', 'contested@example.com', 'BEL001', 'AUT003', 'MEMAP001')`,
    )
    const call = maru.call(restoreUsers, { userIds, version }, hr)
    await untilBlocked(client)
    await client.query('commit')
    client.release()
    expect((await call).code).toBe('RECORD_CHANGED')
    const { rows } = await sql('select from users where withdrawn_at is null and login_id = any ($1)', [
      userIds,
    ])
    expect(rows).toEqual([])
  })
})

describe('many suspensions lifted (rules/users#bulk-changes, rules/users#suspension-by-hand)', () => {
  test('lifts suspensions of both kinds, except of the caller and active users', async () => {
    const idle = await suspended(null, null)
    const onLeave = await suspended('LEAVE', '육아')
    const single = await suspended('LEAVE', '육아')
    const active = await maru.createUser()
    const userIds = idsOf([idle, onLeave, active, hr])
    const data = await preview({ userIds, bulkAction: 'lift' }, 'en')
    expect(data.users.map(({ present }) => present)).toEqual(['inactive', 'on leave · 육아'])
    expect(obstaclesOf(data)).toEqual({ [active.userId]: 'ALREADY', [hr.userId]: 'OWN' })
    // The version is the same in every language.
    const { version } = await preview({ userIds, bulkAction: 'lift' })
    expect(version).toBe(data.version)
    const trips = await roundTrips(maru.database.pool, async () => {
      const { data: done } = await maru.call(liftUsers, { userIds, reason: '복직', version }, hr)
      expect(done).toEqual({ userCount: 2 })
    })
    expect(trips.length).toBeLessThanOrEqual(8)
    await maru.call(liftSuspension, { userId: single.userId, reason: '복직' }, hr)
    const { rows } = await sql(
      `select suspended_at, suspended_for, suspended_reason, confirmed_at > now() - interval '1 minute' as is_anew
       from users where id = any ($1)`,
      [[idle.id, onLeave.id]],
    )
    const lifted = { suspended_at: null, suspended_for: null, suspended_reason: null, is_anew: true }
    expect(rows).toEqual([lifted, lifted])
    expect(await sessionsOf([idle, onLeave])).toBe(0)
    expect(await sessionsOf([active])).toBe(1)
    const [ofMany] = await trail('user.lift', onLeave)
    const [ofOne] = await trail('user.lift', single)
    const anyDay = { suspendedAt: { before: expect.any(String), after: null } }
    expect(ofMany).toEqual({ detail: { ...ofOne.detail, ...anyDay } })
    expect(ofMany.detail).toMatchObject({ reason: '복직', suspendedFor: { before: 'LEAVE', after: null } })
    const none = (await preview({ userIds, bulkAction: 'lift' })).version
    expect((await maru.call(liftUsers, { userIds, version: none }, hr)).code).toBe('BULK_NOBODY')
  })
})

describe('many invitations sent again (rules/users#bulk-changes, rules/users#invitation)', () => {
  test('mails new links to those without a password, ends the previous ones and logs each', async () => {
    const [open, ended, member] = [
      await maru.createUser({ name: '초대이' }),
      await maru.createUser({ name: '초대이' }),
      await maru.createUser({ name: '초대이' }),
    ]
    for (const [person, ends] of [
      [open, `now() + interval '1 day'`],
      [ended, `now() - interval '1 day'`],
    ] as const)
      await sql(
        `insert into account_links (token_hash, user_id, kind, expires_at)
         values (sha256(random()::text::bytea), $1, 'INVITATION', ${ends})`,
        [person.id],
      )
    const found = async (validity: 'INVITED' | 'INVITATION_ENDED') =>
      (await maru.call(listUsers, { name: '초대이', validity }, hr)).data.users.map(({ userId }) => userId)
    expect([await found('INVITED'), await found('INVITATION_ENDED')]).toEqual([[open.userId], [ended.userId]])

    const chosen = { found: { name: '초대이' } }
    const data = await preview({ ...chosen, bulkAction: 'invite' })
    expect(obstaclesOf(data)).toEqual({ [member.userId]: 'NOT_INVITED' })
    const before = (await sql('select token_hash from account_links')).rows.map((row) =>
      String(row.token_hash),
    )
    // The number of mails that were ever queued: the mail job deletes what it has sent.
    const mails = async () => {
      const { rows } = await maru.owner.query(
        'select case when is_called then last_value::int else 0 end as n from mails_id_seq',
      )
      return Number(rows[0]?.n)
    }
    const mailsBefore = await mails()
    const { version } = data
    expect((await maru.call(inviteUsers, { ...chosen, version }, hr)).data).toEqual({ userCount: 2 })
    expect((await mails()) - mailsBefore).toBe(2)
    // The same version again sends nothing.
    expect((await maru.call(inviteUsers, { ...chosen, version }, hr)).code).toBe('RECORD_CHANGED')
    expect((await mails()) - mailsBefore).toBe(2)
    const after = (await sql('select token_hash from account_links')).rows.map((row) =>
      String(row.token_hash),
    )
    expect(after).toHaveLength(2)
    expect(after.filter((hash) => before.includes(hash))).toEqual([])
    expect([await found('INVITED'), await found('INVITATION_ENDED')]).toEqual([
      [ended.userId, open.userId],
      [],
    ])
    for (const person of [open, ended]) expect(await trail('user.invite', person)).toHaveLength(1)
    expect(await trail('user.invite', member)).toEqual([])
  })
})

test('leaves accounts that need more permissions out of a bulk change (rules/users#excluded-users)', async () => {
  await sql(
    `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '협력사', 'Partners', 9)`,
  )
  await sql(`insert into role_functions values ('AUT950', 'autho_partner_search')`)
  const admin = await maru.createUser({ role: 'admin' })
  const raised = await withdrawn(1)
  await sql(`update users set role_code = 'AUT950' where id = $1`, [raised.id])
  const plain = await withdrawn(1)
  const incident = await suspended('INCIDENT', null)
  const onLeave = await suspended('LEAVE', null)
  for (const [bulkAction, able, unable, run] of [
    ['restore', plain, raised, restoreUsers],
    ['lift', onLeave, incident, liftUsers],
  ] as const) {
    const userIds = idsOf([able, unable])
    const data = await preview({ userIds, bulkAction })
    expect(obstaclesOf(data)).toEqual({ [unable.userId]: 'ADMIN_NEEDED' })
    const { version } = data
    expect((await maru.call(run, { userIds, version }, hr)).data).toEqual({ userCount: 1 })
    const { rows } = await sql(
      `select id from users where login_refusal(users) is not null and login_id = any ($1)`,
      [userIds],
    )
    expect(rows).toEqual([{ id: unable.id }])
    const again = (await maru.call(previewBulk, { userIds: [unable.userId], bulkAction }, admin)).data
    expect(again.userCount).toBe(1)
  }
})
