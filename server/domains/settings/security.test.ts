import { isNetwork } from '../../../contract/networks.ts'
import { beforeEach, describe, expect, it, test } from 'vitest'
import { listSessions, login } from '../../../contract/account.ts'
import { listHistory } from '../../../contract/audit.ts'
import { getAuthority, listCodes } from '../../../contract/common.ts'
import { POWERS } from '../../../contract/permissions.ts'
import {
  getSecurity,
  SECURITY_NAMES,
  SECURITY_SETTINGS,
  updateSecurity,
} from '../../../contract/settings/security.ts'
import { defaultsOf } from '../../../contract/settings/declared.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { removeDeadSessions } from '../../callers/sessions.ts'
import { toColumn } from '../../db/column-names.ts'
import { PASSWORD, useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'
import { clearAdminNetworks } from './index.ts'

const maru = useMaru()
const fixed = useMaru({ SESSION_IDLE_MINUTES: '10', SUSPEND_AFTER_DAYS: '0', BACKUP_KEEP: '1' })
const sql = async (text: string, values: unknown[] = []) =>
  (await maru.database.pool.query(text, values)).rows

const USUAL = {
  factorRoles: [],
  trustRoles: [] as string[],
  ...defaultsOf(SECURITY_SETTINGS),
  adminNetworks: [] as string[],
}
let admin: TestUser
let person: TestUser

async function reset(): Promise<void> {
  const columns = [...SECURITY_NAMES, 'adminNetworks'].map((name) => `${toColumn(name)} = default`)
  await sql(`update settings set ${columns.join()}`)
  await sql('update roles set factor_required_since = null')
  await maru.services.settings.fresh()
}
beforeEach(async () => {
  await reset()
  admin = await maru.createUser({ role: 'admin' })
  person = await maru.createUser()
})

const read = async () =>
  (await maru.call(getSecurity, {}, { session: admin.session, address: '127.0.0.1' })).data
async function save(changes: Record<string, unknown>, by: { session: string; address?: string } = admin) {
  const { version } = await read()
  return maru.call(updateSecurity, { ...USUAL, ...changes, version }, by)
}
async function set(columns: string): Promise<void> {
  await sql(`update settings set ${columns}`)
  await maru.services.settings.fresh()
}
const logIn = async ({ userId }: TestUser, address = '192.0.2.10') =>
  maru.call(login, { loginId: userId, password: PASSWORD }, { address })
const use = async (session: string, address: string) =>
  (await maru.call(getAuthority, {}, { session, address })).code ?? 'done'
const told = async (session: string, address = '192.0.2.10') =>
  (
    await maru.call(listNotifications, { page: 1, perPage: 10 }, { session, address })
  ).data.notifications.filter(({ kind }) => kind === 'SESSION_ENDED')
const onRecord = ({ userId }: TestUser) =>
  sql(`select actor_id, detail from audit_log where target = $1 and action = 'account.session-ended'`, [
    userId,
  ])

describe('the security settings (rules/settings#security, rules/settings#upload-quota)', () => {
  test('are off at first, and are for those alone who may change the settings', async () => {
    const answer = await maru.call(getSecurity, {}, { session: admin.session, address: '198.51.100.7' })
    expect(answer.data).toMatchObject({ ...USUAL, address: '198.51.100.7' })
    const hr = await maru.createUser({ role: 'hr' })
    expect((await maru.call(getSecurity, {}, hr)).code).toBe('FORBIDDEN')
    expect((await save({ sessionLimit: 1 }, hr)).code).toBe('FORBIDDEN')
    expect(await read()).toMatchObject(USUAL)
  })

  test('refuses autho_setting_manage without reach over administrators (rules/settings#settings-of-administrators)', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT920', '설정 담당', 'Settings', 9)`,
    )
    await sql(`insert into role_functions select 'AUT920', unnest($1::text[])`, [
      ['autho_setting_manage', 'autho_user_manage'],
    ])
    await sql(`update users set role_code = 'AUT920' where id = $1`, [person.id])
    expect((await maru.call(getSecurity, {}, person)).status).toBe(200)
    for (const changes of [
      { adminNetworks: ['127.0.0.1'] },
      { factorRoles: ['AUT001'] },
      { sessionLimit: 1 },
    ])
      expect((await save(changes, person)).code).toBe('ADMIN_REACH_REQUIRED')
    expect(await read()).toMatchObject(USUAL)
    await sql(`insert into role_functions select 'AUT920', unnest($1::text[]) on conflict do nothing`, [
      POWERS,
    ])
    expect((await save({ sessionLimit: 1 }, person)).status).toBe(200)
  })

  test('are saved at once, with before and after in the history of the settings', async () => {
    const { status } = await save({
      sessionLimit: 3,
      sessionBinding: 'network',
      uploadQuotaMb: 500,
      profileEditors: 'hr',
    })
    expect(status).toBe(200)
    expect(await read()).toMatchObject({ sessionLimit: 3, sessionBinding: 'network', uploadQuotaMb: 500 })
    expect(maru.services.settings.now()).toMatchObject({ sessionBinding: 'network', uploadQuotaMb: 500 })
    const history = { recordKind: 'setting', page: 1, perPage: 10 } as const
    const { rows } = (await maru.call(listHistory, history, { ...admin, address: '127.0.0.1' })).data
    expect(rows[0]).toMatchObject({ target: 'security', userId: admin.userId })
    expect(JSON.stringify(rows[0])).toContain('동시 로그인 기기 수')
    expect(JSON.stringify(rows[0])).toContain('하루 업로드 한도')
    expect(rows[0]?.changes).toContainEqual({
      item: '이름과 직급을 수정하는 사람',
      before: '사용자 본인',
      after: '인사 담당자',
    })
  })

  test('refuses a save based on an outdated version', async () => {
    const { version } = await read()
    await save({ sessionLimit: 3 })
    const late = await maru.call(updateSecurity, { ...USUAL, adminNetworks: [], version }, admin)
    expect(late.code).toBe('RECORD_CHANGED')
    expect((await read()).sessionLimit).toBe(3)
  })

  test.each([
    { sessionLimit: -1 },
    { sessionLimit: 51 },
    { sessionLimit: 1.5 },
    { sessionLimit: '3' },
    { sessionIdleMinutes: 4 },
    { sessionIdleMinutes: 1441 },
    { suspendAfterDays: 29 },
    { suspendAfterDays: -1 },
    { suspendAfterDays: 10_000 },
    { accessLogMonths: 11 },
    { accessLogMonths: 121 },
    { backupKeep: 6 },
    { backupKeep: 1001 },
    { backupTestDays: 0 },
    { sessionBinding: 'country' },
    { profileEditors: 'nobody' },
    { adminNetworks: '10.0.0.0/8' },
    { adminNetworks: ['10.0.0.0/33'] },
    { adminNetworks: ['10.0.0'] },
    { adminNetworks: ['fe80::1%eth0'] },
    { adminNetworks: ['portal.company.kr'] },
    { adminNetworks: [''] },
    { uploadQuotaMb: -1 },
    { uploadQuotaMb: 1_000_001 },
    { uploadQuotaMb: 0.5 },
    { uploadQuotaMb: '' },
    { adminNetworks: Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`) },
  ])('refuse %j and stay as they are', async (changes) => {
    expect(await save(changes)).toMatchObject({ status: 400, code: 'INPUT_INVALID' })
    expect(await read()).toMatchObject(USUAL)
  })
})

describe('a limit of sessions (rules/settings#session-limit)', () => {
  test('ends the oldest session at the next login and notifies its user', async () => {
    await set('session_limit = 2')
    const first = (await logIn(person)).data.sessionUid
    // The one that the person was made with is the oldest.
    const second = (await logIn(person, '192.0.2.11')).data.sessionUid
    expect(await use(person.session, '127.0.0.1')).toBe('SESSION_REQUIRED')
    expect(await use(first, '192.0.2.10')).toBe('done')
    await logIn(person, '192.0.2.12')
    expect(await use(first, '192.0.2.10')).toBe('SESSION_REQUIRED')
    expect(await use(second, '192.0.2.11')).toBe('done')
    const rows = await told(second)
    expect(rows.map(({ reason, address }) => [reason, address])).toEqual([
      ['limit', '192.0.2.10'],
      ['limit', '127.0.0.1'],
    ])
    const logins = await sql(
      `select detail from audit_log where target = $1 and action = 'account.login' order by id`,
      [person.userId],
    )
    expect(logins.map(({ detail }) => detail)).toEqual([{}, { endedSessions: 1 }, { endedSessions: 1 }])
  })

  test('keeps only the newest session at a limit of one, even for concurrent logins', async () => {
    await set('session_limit = 1')
    const sessions = await Promise.all([1, 2, 3, 4].map(() => logIn(person)))
    const alive = await Promise.all(sessions.map(({ data }) => use(data.sessionUid, '192.0.2.10')))
    expect(alive.filter((answer) => answer === 'done')).toHaveLength(1)
  })

  test('ends no session at a limit of 0, nor sessions of other users', async () => {
    for (let i = 0; i < 3; i += 1) await logIn(person)
    expect((await maru.call(listSessions, {}, person)).data.sessions).toHaveLength(4)
    await set('session_limit = 1')
    await logIn(admin)
    expect((await maru.call(listSessions, {}, person)).data.sessions).toHaveLength(4)
    expect(await onRecord(person)).toEqual([])
  })
})

describe('a session bound to where it began (rules/settings#session-binding)', () => {
  const CASES = [
    ['off', '203.0.113.5', '198.51.100.9', 'done'],
    ['network', '203.0.113.5', '203.0.113.250', 'done'],
    ['network', '203.0.113.5', '203.0.114.5', 'SESSION_MOVED'],
    ['network', '203.0.113.5', '2001:db8::1', 'SESSION_MOVED'],
    ['network', '2001:db8:0:1::5', '2001:db8:0:1:ffff::9', 'done'],
    ['network', '2001:db8:0:1::5', '2001:db8:0:2::5', 'SESSION_MOVED'],
    ['exact', '203.0.113.5', '203.0.113.5', 'done'],
    ['exact', '203.0.113.5', '::ffff:203.0.113.5', 'done'],
    ['exact', '203.0.113.5', '203.0.113.6', 'SESSION_MOVED'],
    ['exact', '2001:db8:0:1::5', '2001:db8:0:1::6', 'SESSION_MOVED'],
  ] as const
  test.each(CASES)('answers as set for %s: from %s, used at %s: %s', async (binding, began, used, answer) => {
    await set(`session_binding = '${binding}'`)
    const session = (await logIn(person, began)).data.sessionUid
    expect(await use(session, began)).toBe('done')
    expect(await use(session, used)).toBe(answer)
    expect(await use(session, began)).toBe(answer)
  })

  test('ends for good, with a reason for every call and one notification', async () => {
    await set(`session_binding = 'network'`)
    const stolen = (await logIn(person, '203.0.113.5')).data.sessionUid
    const answers = await Promise.all([1, 2, 3].map(() => use(stolen, '198.51.100.9')))
    expect(answers).toEqual(Array(3).fill('SESSION_MOVED'))
    const { msg, status } = await maru.call(getAuthority, {}, { session: stolen, address: '203.0.113.5' })
    expect([status, msg]).toEqual([401, expect.stringContaining('다른 주소')])
    await reset()
    expect(await use(stolen, '203.0.113.5')).toBe('SESSION_MOVED')
    // Not among the devices any more, and whatever anybody may ask for is answered as to anybody.
    expect((await maru.call(listSessions, {}, person)).data.sessions).toHaveLength(1)
    const codes = await maru.call(listCodes, { codeGroup: 'COMBEL001' }, { session: stolen })
    expect(codes.status).toBe(200)
    expect(await told(person.session)).toMatchObject([{ reason: 'moved', address: '198.51.100.9' }])
    expect(await onRecord(person)).toEqual([
      { actor_id: person.id, detail: { reason: 'moved', loggedInFrom: '203.0.113.5' } },
    ])
  })

  test('goes with its time like every session', async () => {
    await set(`session_binding = 'exact'`)
    const session = (await logIn(person)).data.sessionUid
    expect(await use(session, '192.0.2.11')).toBe('SESSION_MOVED')
    await sql(`update sessions set created_at = now() - interval '1 day' where user_id = $1`, [person.id])
    await removeDeadSessions(maru.database.pool, maru.services.settings.session())
    expect(await use(session, '192.0.2.10')).toBe('SESSION_REQUIRED')
  })
})

describe('the addresses of administrators (rules/settings#admin-networks)', () => {
  test('let nobody with power in from elsewhere, with a session or without', async () => {
    await set(`admin_networks = '{10.1.0.0/16,2001:db8::/32,192.0.2.7}'`)
    const hr = await maru.createUser({ role: 'hr' })
    for (const of of [admin, hr]) {
      expect(await use(of.session, '10.1.2.3')).toBe('done')
      expect(await use(of.session, '::ffff:10.1.2.3')).toBe('done')
      expect(await use(of.session, '2001:db8:7::1')).toBe('done')
      expect(await use(of.session, '192.0.2.7')).toBe('done')
      expect(await use(of.session, '192.0.2.8')).toBe('ADDRESS_REFUSED')
      // It is not over: at home in the office it goes on.
      expect(await use(of.session, '192.0.2.7')).toBe('done')
      expect((await logIn(of, '192.0.2.8')).code).toBe('LOGIN_ADDRESS_REFUSED')
      expect((await logIn(of, '192.0.2.7')).status).toBe(200)
    }
    expect(await use(person.session, '192.0.2.8')).toBe('done')
    expect((await logIn(person, '192.0.2.8')).status).toBe(200)
  })

  test('reveal nothing without the right password', async () => {
    await set(`admin_networks = '{10.1.0.0/16}'`)
    const wrong = { loginId: admin.userId, password: 'wrong-Maru-2026!' }
    expect((await maru.call(login, wrong, { address: '192.0.2.8' })).code).toBe('LOGIN_FAILED')
  })

  test('count for a role from the moment that it has a power', async () => {
    await set(`admin_networks = '{10.1.0.0/16}'`)
    expect(await use(person.session, '192.0.2.8')).toBe('done')
    await sql(`update users set role_code = 'AUT002' where id = $1`, [person.id])
    expect(await use(person.session, '192.0.2.8')).toBe('ADDRESS_REFUSED')
  })

  test('are refused if they shut out the administrator who saves them', async () => {
    const by = { session: admin.session, address: '192.0.2.8' }
    expect((await save({ adminNetworks: ['10.1.0.0/16'] }, by)).code).toBe('ADDRESS_SHUTS_OUT')
    expect((await read()).adminNetworks).toEqual([])
    const list = { adminNetworks: [' 10.1.0.0/16', '192.0.2.0/24', '192.0.2.0/24', '2001:DB8::/32'] }
    expect((await save(list, by)).status).toBe(200)
    const networks = ['10.1.0.0/16', '192.0.2.0/24', '2001:db8::/32']
    expect((await maru.call(getSecurity, {}, by)).data.adminNetworks).toEqual(networks)
  })

  test('are cleared by the operator, and logged (rules/running#operator-addresses)', async () => {
    await set(`admin_networks = '{10.1.0.0/16}'`)
    expect(await clearAdminNetworks(maru.database.db)).toEqual(['10.1.0.0/16'])
    await maru.services.settings.fresh()
    expect(await use(admin.session, '192.0.2.8')).toBe('done')
    const [row] = await sql(
      `select actor_id, detail from audit_log where action = 'setting.update' order by id desc limit 1`,
    )
    expect(row).toMatchObject({
      actor_id: null,
      detail: { adminNetworks: { before: '10.1.0.0/16', after: '' }, reason: 'npm run admin' },
    })
    expect(await clearAdminNetworks(maru.database.db)).toEqual([])
  })

  test.each(['10.0.0.0/8', '192.0.2.1', '::1', '2001:db8::/32'])('may be %s', (text) =>
    expect(isNetwork(text)).toBe(true),
  )
})

describe('settings that environment variables override (rules/settings#security-variables)', () => {
  it('ends sessions after the saved idle timeout, and suspends nobody at 0 days', async () => {
    expect((await save({ sessionIdleMinutes: 5, suspendAfterDays: 0, accessLogMonths: 36 })).status).toBe(200)
    expect(maru.services.settings.now()).toMatchObject({ suspendAfterDays: 0, accessLogMonths: 36 })
    const idle = (minutes: number) =>
      sql(`update sessions set last_used_at = now() - make_interval(mins => $2) where user_id = $1`, [
        person.id,
        minutes,
      ])
    await idle(4)
    expect(await use(person.session, '127.0.0.1')).toBe('done')
    await idle(6)
    expect(await use(person.session, '127.0.0.1')).toBe('SESSION_REQUIRED')
  })

  it('gives variables priority, names them and keeps the saved values', async () => {
    await fixed.database.pool.query('update settings set session_idle_minutes = 60')
    await fixed.services.settings.fresh()
    const by = await fixed.createUser({ role: 'admin' })
    const { data } = await fixed.call(getSecurity, {}, by)
    expect(data).toMatchObject({ sessionIdleMinutes: 10, suspendAfterDays: 0, accessLogMonths: 24 })
    expect(data.fixed).toEqual([
      { field: 'suspendAfterDays', variable: 'SUSPEND_AFTER_DAYS' },
      { field: 'sessionIdleMinutes', variable: 'SESSION_IDLE_MINUTES' },
      // Fewer than the portal allows (rules/settings#backups).
      { field: 'backupKeep', variable: 'BACKUP_KEEP' },
    ])
    expect(data.backupKeep).toBe(1)
    expect(fixed.services.settings.session().idleSeconds).toBe(600)
    const { backupKeep: _, ...usual } = USUAL
    const values = { ...usual, sessionIdleMinutes: 10, suspendAfterDays: 0, version: data.version }
    expect((await fixed.call(updateSecurity, { ...values, backupKeep: 7 }, by)).code).toBe('SETTING_FIXED')
    const other = await fixed.call(updateSecurity, { ...values, sessionIdleMinutes: 20 }, by)
    expect(other.code).toBe('SETTING_FIXED')
    expect((await fixed.call(updateSecurity, { ...values, sessionLimit: 3 }, by)).status).toBe(200)
    const { rows } = await fixed.database.pool.query(
      'select session_idle_minutes as idle, suspend_after_days as days, backup_keep, session_limit as most from settings',
    )
    expect(rows).toEqual([{ idle: 60, days: 180, backup_keep: 7, most: 3 }])
  })
})
