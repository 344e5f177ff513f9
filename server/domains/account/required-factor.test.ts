import { beforeEach, describe, expect, test } from 'vitest'
import { getFactors, listSessions, login, removeTotp, setPassword } from '../../../contract/account.ts'
import { getAuthority } from '../../../contract/common.ts'
import { createProgram, issueKey } from '../../../contract/keys.ts'
import { getSecurity, updateSecurity } from '../../../contract/settings/security.ts'
import { listHistory } from '../../../contract/audit.ts'
import { findLiveSessions } from '../../callers/sessions.ts'
import { hashToken } from '../../callers/bearer-tokens.ts'
import { factorsOf } from '../../../dev/test-kit/factors.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const clock = { now: new Date() }
const maru = useMaru({}, { clock: () => clock.now })
const { passGate, withApp, enter } = factorsOf(maru, clock)
const owner = async (text: string, values: unknown[] = []) => (await maru.owner.query(text, values)).rows

let admin: TestUser

beforeEach(async () => {
  await owner('update roles set factor_required_since = null')
  await owner('update settings set factor_grace_days = 14')
  admin = await maru.createUser({ role: 'admin' })
})

async function require(factorRoles: string[], factorGraceDays = 14) {
  const { data } = await maru.call(getSecurity, {}, admin)
  const { address: _, roles: __, fixed: ___, ...kept } = data
  return maru.call(updateSecurity, { ...kept, factorRoles, factorGraceDays }, admin)
}
/** As if the setting, or the role, were that many days older. */
const passes = async (days: number) => {
  await owner(`update roles set factor_required_since = factor_required_since - make_interval(days => $1)`, [
    days,
  ])
  await owner(`update users set duties_since = duties_since - make_interval(days => $1)`, [days])
}
const day = async (days: number): Promise<string> =>
  (await owner(`select (now() at time zone 'Asia/Seoul')::date + $1::integer as day`, [days]))[0].day
const told = async (person: TestUser) => (await maru.call(getAuthority, {}, person)).data.factorDay
const use = async (person: TestUser) => (await maru.call(listSessions, {}, person)).code ?? 'done'

describe('which roles have to have a second factor (rules/settings#required-factors)', () => {
  test('is none at first, with 14 days of grace, and every role is offered by its name', async () => {
    const { data } = await maru.call(getSecurity, {}, admin)
    expect(data).toMatchObject({ factorRoles: [], trustRoles: [], factorGraceDays: 14 })
    expect(data.roles.slice(0, 3)).toEqual([
      { roleCode: 'AUT001', roleName: '관리자' },
      { roleCode: 'AUT002', roleName: '인사 관리자' },
      { roleCode: 'AUT003', roleName: '일반 사용자' },
    ])
    const { data: english } = await maru.call(
      getSecurity,
      {},
      { ...admin, headers: { 'accept-language': 'en' } },
    )
    expect(english.roles[0]?.roleName).toBe('Administrator')
  })

  test('logs changed roles by name and omits unchanged ones', async () => {
    expect((await require(['AUT002', 'AUT001', 'AUT001'], 7)).status).toBe(200)
    expect((await require(['AUT001', 'AUT002'], 8)).status).toBe(200)
    const history = { recordKind: 'setting', page: 1, perPage: 10 } as const
    const { rows } = (await maru.call(listHistory, history, admin)).data
    expect(rows[1]?.changes).toEqual([
      { item: '2단계 인증이 필요한 권한', before: '', after: '관리자, 인사 관리자' },
      { item: '2단계 인증 등록 유예 기간', before: '14', after: '7' },
    ])
    expect(rows[0]?.changes).toEqual([{ item: '2단계 인증 등록 유예 기간', before: '7', after: '8' }])
  })

  test('refuses an unknown role or a number out of range without any change', async () => {
    expect((await require(['AUT001', 'AUT999'])).code).toBe('ROLE_NOT_FOUND')
    expect((await require(['AUT001'], 91)).code).toBe('INPUT_INVALID')
    expect((await require(['AUT001'], -1)).code).toBe('INPUT_INVALID')
    expect((await maru.call(getSecurity, {}, admin)).data).toMatchObject({
      factorRoles: [],
      trustRoles: [],
      factorGraceDays: 14,
    })
  })

  test('keeps the due date of roles already required and restarts it after a break', async () => {
    await require(['AUT002'])
    await passes(10)
    await require(['AUT001', 'AUT002'])
    const hr = await maru.createUser({ role: 'hr' })
    await owner(`update users set duties_since = now() - interval '1 year' where id = $1`, [hr.id])
    expect(await told(hr)).toBe(await day(4))
    expect(await told(admin)).toBe(await day(14))
    await require(['AUT001'])
    expect(await told(hr)).toBeUndefined()
    await require(['AUT001', 'AUT002'])
    expect(await told(hr)).toBe(await day(14))
  })
})

describe('who has to have a second factor and has none (rules/account#required-factor)', () => {
  test('shows the due date during the grace period to everyone and blocks nothing', async () => {
    await require(['AUT001', 'AUT003'], 3)
    const person = await maru.createUser()
    for (const one of [admin, person]) {
      expect(await told(one)).toBe(await day(3))
      expect(await use(one)).toBe('done')
    }
    await passes(3)
    expect(await told(person)).toBe(await day(0))
    expect(await use(person)).toBe('done')
    expect((await enter(person)).data).toMatchObject({ mustSetUpFactor: false })
    const hr = await maru.createUser({ role: 'hr' })
    expect(await told(hr)).toBeUndefined()
  })

  test('allows only the setup of a second factor after the grace period', async () => {
    await require(['AUT003'])
    const person = await maru.createUser()
    await passes(15)
    expect((await enter(person)).data).toMatchObject({ mustSetUpFactor: true, mustChangePassword: false })
    expect(await maru.call(listSessions, {}, person)).toMatchObject({
      status: 403,
      code: 'FACTOR_SETUP_REQUIRED',
    })
    const live = () =>
      findLiveSessions(maru.database.pool, maru.services.settings.session(), [hashToken(person.session)])
    expect((await live()).size).toBe(0)
    expect((await maru.call(getFactors, {}, person)).status).toBe(200)
    await withApp(person)
    expect(await use(person)).toBe('done')
    expect((await live()).size).toBe(1)
    expect(await told(person)).toBeUndefined()
  })

  test('changes a temporary password first', async () => {
    await require(['AUT003'], 0)
    const person = await maru.createUser({ temporary: true })
    expect((await enter(person)).data).toMatchObject({ mustSetUpFactor: true, mustChangePassword: true })
    expect((await maru.call(getFactors, {}, person)).code).toBe('PASSWORD_CHANGE_REQUIRED')
    const change = { currentPassword: PASSWORD, newPassword: 'another-Maru-2026!' }
    const session = (await maru.call(setPassword, change, person)).data.sessionUid
    expect(await use({ ...person, session })).toBe('FACTOR_SETUP_REQUIRED')
    expect((await maru.call(getFactors, {}, { session })).status).toBe(200)
  })

  test('keeps the due date despite logouts and moves between roles that require it', async () => {
    await require(['AUT002', 'AUT003'])
    const person = await maru.createUser()
    await passes(10)
    const { data } = await maru.call(login, { loginId: person.userId, password: PASSWORD })
    expect(await told({ ...person, session: data.sessionUid })).toBe(await day(4))
    const move = (role: string) => owner('update users set role_code = $2 where id = $1', [person.id, role])
    await move('AUT002')
    expect(await told({ ...person, session: data.sessionUid })).toBe(await day(4))
    await move('AUT003')
    expect(await told({ ...person, session: data.sessionUid })).toBe(await day(4))
  })

  test('has a grace of their own when the role came later than the setting', async () => {
    await require(['AUT001', 'AUT002'])
    const person = await maru.createUser()
    await passes(100)
    await owner(`update users set role_code = 'AUT002' where id = $1`, [person.id])
    expect(await told(person)).toBe(await day(14))
    // Its owner is past it, and nobody who is registered today.
    expect(await use(admin)).toBe('FACTOR_SETUP_REQUIRED')
    expect(await told(await maru.createUser({ role: 'hr' }))).toBe(await day(14))
  })

  test('has no days at all where there is no grace', async () => {
    await require(['AUT003'], 0)
    expect(await use(await maru.createUser())).toBe('FACTOR_SETUP_REQUIRED')
  })

  test('lets users remove the last factor only if their role requires none', async () => {
    const person = await withApp(await maru.createUser())
    await require(['AUT003'])
    await passGate(person)
    expect((await maru.call(removeTotp, {}, person)).code).toBe('FACTOR_NEEDED')
    expect(await owner('select 1 from totp_secrets where user_id = $1', [person.id])).toHaveLength(1)
    expect(await owner('select 1 from recovery_codes where user_id = $1', [person.id])).toHaveLength(10)
    await require([])
    expect((await maru.call(removeTotp, {}, person)).status).toBe(200)
  })

  test('has programs refused with what to do, in words', async () => {
    const partner = await maru.createPartner()
    const person = await maru.createUser()
    await owner('update users set partner_id = (select id from partners where code = $2) where id = $1', [
      person.id,
      partner,
    ])
    await passGate(person)
    const { data } = await maru.call(createProgram, { programName: '현장 PC' }, person)
    const program = { headers: { authorization: `Bearer ${data.programToken}` } }
    expect((await maru.call(issueKey, { requestKey: 'before' }, program)).status).toBe(200)
    await require(['AUT003'], 0)
    const refused = await maru.call(issueKey, { requestKey: 'after' }, program)
    expect(refused).toMatchObject({ status: 403, code: 'FACTOR_SETUP_REQUIRED' })
    expect(refused.raw).toContain('2단계 인증을 등록해야')
    await withApp(person)
    expect((await maru.call(issueKey, { requestKey: 'after' }, program)).status).toBe(200)
  })
})
