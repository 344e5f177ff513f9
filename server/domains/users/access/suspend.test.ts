import { beforeEach, describe, expect, test } from 'vitest'
import { login } from '../../../../contract/account.ts'
import { getAuthority } from '../../../../contract/common.ts'
import { getUser, liftSuspension, listEnding, suspendUser } from '../../../../contract/users.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../../dev/test-kit/people.ts'
import { lockUser } from '../queries.ts'
import { suspendAccounts } from './suspend.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let person: TestUser

beforeEach(async () => {
  await sql('update users set withdrawn_at = now() where withdrawn_at is null')
  admin = await maru.createUser({ role: 'admin' })
  hr = await maru.createUser({ role: 'hr' })
  person = await maru.createUser()
})

const suspend = (by: TestUser, of: TestUser, more: object = {}) =>
  maru.call(suspendUser, { userId: of.userId, suspendedFor: 'LEAVE', ...more }, by)
const lift = (by: TestUser, of: TestUser, reason = '') =>
  maru.call(liftSuspension, { userId: of.userId, reason }, by)
const logIn = (of: TestUser, password = PASSWORD) => maru.call(login, { loginId: of.userId, password })
const recordOf = async (of: TestUser) => (await maru.call(getUser, { userId: of.userId }, hr)).data
const isAlive = async ({ session }: TestUser) =>
  (await maru.call(getAuthority, {}, { session })).status === 200

describe('suspending an account by hand (rules/users#suspension-by-hand)', () => {
  test('ends sessions, is revealed only after the right password, and is logged', async () => {
    const answer = await suspend(hr, person, { suspendedFor: 'INCIDENT', reason: ' 계정 도용 의심 ' })
    expect(answer.status).toBe(200)
    expect(await isAlive(person)).toBe(false)
    expect((await sql('select from sessions where user_id = $1', [person.id])).rowCount).toBe(0)
    expect((await logIn(person)).code).toBe('ACCOUNT_SUSPENDED_BY_HAND')
    expect((await logIn(person, 'not-it-2026!')).code).toBe('LOGIN_FAILED')
    expect(await recordOf(person)).toMatchObject({
      suspended: true,
      suspendedAt: expect.stringMatching(/^\d{4}-/),
      suspendedFor: 'INCIDENT',
      suspendedReason: '계정 도용 의심',
      loginRefusal: 'ACCOUNT_SUSPENDED_BY_HAND',
    })
    const { rows } = await sql(
      'select action, actor_id, target, detail from audit_log where request_id = $1',
      [answer.headers['x-request-id']],
    )
    expect(rows).toEqual([
      {
        action: 'user.suspend',
        actor_id: hr.id,
        target: person.userId,
        detail: { suspendedFor: 'INCIDENT', reason: '계정 도용 의심' },
      },
    ])
  })

  test('is lifted for good, with the reason logged; sessions stay ended', async () => {
    await suspend(hr, person)
    expect((await lift(admin, person, '복직')).status).toBe(200)
    expect(await isAlive(person)).toBe(false)
    expect((await logIn(person)).status).toBe(200)
    expect(await recordOf(person)).toMatchObject({
      suspended: false,
      suspendedAt: '',
      suspendedFor: '',
      suspendedReason: '',
      loginRefusal: '',
    })
    const { rows } = await sql(`select detail from audit_log where action = 'user.lift' and target = $1`, [
      person.userId,
    ])
    expect(rows[0].detail).toMatchObject({ suspendedFor: { before: 'LEAVE', after: null }, reason: '복직' })
    expect((await lift(admin, person)).code).toBe('RECORD_CHANGED')
  })

  test('needs an administrator manager to end a security suspension, not HR', async () => {
    await suspend(hr, person, { suspendedFor: 'INCIDENT' })
    expect(await lift(hr, person)).toMatchObject({ status: 403, code: 'INCIDENT_LIFT' })
    expect((await logIn(person)).code).toBe('ACCOUNT_SUSPENDED_BY_HAND')
    expect((await lift(admin, person)).status).toBe(200)
    expect((await logIn(person)).status).toBe(200)
  })

  test('takes an account over that disuse has suspended, but not one that somebody has', async () => {
    await sql('update users set suspended_at = now() where id = $1', [person.id])
    expect((await recordOf(person)).suspendedFor).toBe('DISUSE')
    expect((await logIn(person)).code).toBe('ACCOUNT_SUSPENDED')
    expect((await suspend(hr, person)).status).toBe(200)
    expect((await suspend(admin, person, { suspendedFor: 'INCIDENT' })).code).toBe('RECORD_CHANGED')
    expect((await maru.call(listEnding, { state: 'SUSPENDED' }, hr)).data.users).toMatchObject([
      { userId: person.userId, suspendedFor: 'LEAVE' },
    ])
  })

  test('requires a text of at most 200 characters for other reasons', async () => {
    expect(await suspend(hr, person, { suspendedFor: 'OTHER' })).toMatchObject({
      code: 'INPUT_INVALID',
      field: 'reason',
    })
    expect((await suspend(hr, person, { reason: '가'.repeat(201) })).code).toBe('INPUT_INVALID')
    expect((await suspend(hr, person, { suspendedFor: 'DISUSE' })).code).toBe('INPUT_INVALID')
    expect((await suspend(hr, person, { suspendedFor: 'OTHER', reason: '가'.repeat(200) })).status).toBe(200)
  })

  test('refuses the caller’s own account, one out of reach, and the last 관리자', async () => {
    const second = await maru.createUser({ role: 'admin' })
    expect((await suspend(hr, hr)).code).toBe('FORBIDDEN')
    expect((await suspend(hr, admin)).code).toBe('FORBIDDEN')
    expect((await suspend(person, hr)).code).toBe('FORBIDDEN')
    expect((await suspend(admin, second)).status).toBe(200)
    expect((await suspend(second, admin)).code).toBe('SESSION_REQUIRED')
    await sql(`update users set valid_to = now()::date + 30 where id = $1`, [admin.id])
    await lift(admin, second)
    // The one who stays would end before the one who is suspended.
    expect((await suspend(admin, second)).code).toBe('LAST_ADMIN_ENDS')
  })

  test('is done for many at once in as many statements as for one', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => maru.createUser()))
    await maru.database.db.transaction().execute(async (tx) => {
      const signedIn = {
        id: hr.id,
        userId: hr.userId,
        functions: ['autho_user_manage'],
        within: null,
      } as never
      const users = []
      for (const { userId } of people) users.push(await lockUser(tx, signedIn, userId, false))
      await suspendAccounts(tx, users, { suspendedFor: 'LEAVE', reason: '' })
    })
    for (const one of people) expect(await isAlive(one)).toBe(false)
    expect((await maru.call(listEnding, { state: 'SUSPENDED' }, hr)).data.totalCount).toBe(5)
  })
})

test('shows in the record why an account may not log in today (rules/users#account-state)', async () => {
  const states = [
    [{}, ''],
    [{ approved: false }, 'ACCOUNT_NOT_APPROVED'],
    [{ validFrom: '2099-01-01' }, 'ACCOUNT_NOT_YET_VALID'],
    [{ validTo: '2020-01-01' }, 'ACCOUNT_EXPIRED'],
  ] as const
  for (const [user, loginRefusal] of states) {
    expect(await recordOf(await maru.createUser(user))).toMatchObject({ loginRefusal })
  }
  expect((await maru.call(getUser, { userId: '' }, hr)).data).not.toHaveProperty('loginRefusal')
})
