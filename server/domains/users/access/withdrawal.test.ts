import { beforeAll, describe, expect, test } from 'vitest'
import { certifyEmail, login } from '../../../../contract/account.ts'
import { checkImport, importUsers } from '../../../../contract/users/import.ts'
import {
  countBelongings,
  getWithdrawn,
  listUsers,
  registerUser,
  requestEmail,
  restoreUser,
  withdrawUser,
} from '../../../../contract/users.ts'
import { issueKey } from '../../../../contract/keys.ts'
import { ROLE } from '../../../../contract/permissions.ts'
import { holderOf, partnerWith } from '../../../../dev/test-kit/keys.ts'
import { PASSWORD, useMaru } from '../../../../dev/test-kit/maru.ts'
import type { NewUser, TestUser } from '../../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '강관리' })
  hr = await maru.createUser({ role: 'hr', name: '윤인사' })
})

async function withdrawn(user: NewUser = {}, by = admin, withdrawnReason?: string): Promise<TestUser> {
  const person = await maru.createUser(user)
  const asked = { userId: person.userId, ...(withdrawnReason !== undefined && { withdrawnReason }) }
  expect((await maru.call(withdrawUser, asked, by)).status).toBe(200)
  return person
}
const list = async (by: TestUser, input = {}) =>
  (await maru.call(listUsers, { withdrawn: true, perPage: 100, ...input }, by)).data
const read = (by: TestUser, { userId }: TestUser) => maru.call(getWithdrawn, { userId }, by)
const restore = (by: TestUser, { userId }: TestUser) => maru.call(restoreUser, { userId }, by)

const keysOf = async ({ id }: TestUser) =>
  (
    await sql(
      'select revoked_by, revoke_reason from issued_keys where user_id = $1 and revoked_at is not null',
      [id],
    )
  ).rows
const notificationsOf = async ({ id }: TestUser) =>
  (
    await sql(`select detail from notifications where kind = 'KEY_REVOKED' and user_id = $1 order by id`, [
      id,
    ])
  ).rows.map(({ detail }) => detail)
const holder = async () => {
  const person = await holderOf(maru, await partnerWith(maru))
  for (const requestKey of ['one', 'two']) await maru.call(issueKey, { requestKey }, person)
  return person
}

describe('before a withdrawal (rules/users#before-a-withdrawal)', () => {
  test('counts keys, devices, program tokens and notices of the user', async () => {
    const person = await holder()
    await sql(`insert into notices (bullet_code, title, author_id) values ('BE0001', '안내', $1)`, [
      person.id,
    ])
    expect((await maru.call(countBelongings, { userId: person.userId }, hr)).data).toEqual({
      keyCount: 2,
      sessionCount: 1,
      noticeCount: 1,
      programCount: 0,
    })
  })

  test('revokes all keys with the account, with a row and a notification for each', async () => {
    const person = await holder()
    const other = await holder()
    const input = { userId: person.userId, withdrawnReason: '퇴사', keysRevoked: true }
    expect((await maru.call(withdrawUser, input, admin)).status).toBe(200)
    const revoked = { revoked_by: admin.id, revoke_reason: '퇴사' }
    expect(await keysOf(person)).toEqual([revoked, revoked])
    expect(await keysOf(other)).toEqual([])
    const { rows } = await sql(
      `select detail from audit_log where action = 'user.withdraw' and target = $1`,
      [person.userId],
    )
    expect(rows[0].detail).toMatchObject({ reason: '퇴사', keysRevoked: 2 })
    const single = await sql(
      `select detail, records from audit_log where action = 'key.revoke' and actor_id = $1
         and target in (select id::text from issued_keys where user_id = $2)`,
      [admin.id, person.id],
    )
    expect(single.rows).toEqual([
      { detail: { reason: '퇴사' }, records: null },
      { detail: { reason: '퇴사' }, records: null },
    ])
    expect(await notificationsOf(person)).toEqual([
      { requestKey: 'one', reason: '퇴사' },
      { requestKey: 'two', reason: '퇴사' },
    ])
    expect(await notificationsOf(other)).toEqual([])
    await restore(admin, person)
    expect(await keysOf(person)).toHaveLength(2)
  })

  test('revokes keys for callers who may withdraw the account, without autho_partner_search', async () => {
    const person = await holder()
    const kept = await holder()
    const input = { userId: person.userId, withdrawnReason: '퇴사', keysRevoked: true }
    expect((await maru.call(withdrawUser, input, hr)).status).toBe(200)
    const revoked = { revoked_by: hr.id, revoke_reason: '퇴사' }
    expect(await keysOf(person)).toEqual([revoked, revoked])
    expect((await maru.call(withdrawUser, { userId: kept.userId }, hr)).status).toBe(200)
    expect(await keysOf(kept)).toEqual([])
  })

  test('revokes no key of an account that the caller may not withdraw', async () => {
    const boss = await holder()
    await sql('update users set role_code = $2 where id = $1', [boss.id, ROLE.admin])
    const waiting = await holder()
    await sql(`update users set approval_code = 'MEMAP002' where id = $1`, [waiting.id])
    const closed = await holder()
    await sql('update users set withdrawn_at = now() where id = $1', [closed.id])
    const withdraw = async ({ userId }: TestUser, by: TestUser) =>
      (await maru.call(withdrawUser, { userId, withdrawnReason: '퇴사', keysRevoked: true }, by)).code
    expect(await withdraw(boss, hr)).toBe('FORBIDDEN')
    expect(await withdraw(waiting, hr)).toBe('USER_NOT_APPROVED')
    expect(await withdraw(closed, hr)).toBe('USER_NOT_FOUND')
    expect(await withdraw(waiting, closed)).not.toBe('SUCCESS')
    const colleague = await maru.createUser()
    expect(await withdraw(boss, colleague)).toBe('FORBIDDEN')
    for (const person of [boss, waiting, closed]) expect(await keysOf(person)).toEqual([])
  })
})

describe('keys of a withdrawn user (rules/users#before-a-withdrawal)', () => {
  test('are revoked only with a reason; without one the account stays', async () => {
    const person = await holder()
    const refused = await maru.call(withdrawUser, { userId: person.userId, keysRevoked: true }, admin)
    expect(refused).toMatchObject({ code: 'INPUT_INVALID', field: 'withdrawnReason' })
    expect(await keysOf(person)).toEqual([])
    expect(
      (await sql('select withdrawn_at from users where id = $1', [person.id])).rows[0].withdrawn_at,
    ).toBeNull()
    expect(await notificationsOf(person)).toEqual([])
  })

  test('are too many from 10,001 on; the account stays', async () => {
    const person = await holder()
    await sql(
      `insert into issued_keys (user_id, request_key, partner_id, affiliation_code, province_name, district_name)
       select user_id, 'many ' || n, partner_id, affiliation_code, province_name, district_name
       from issued_keys, generate_series(1, 9999) n where user_id = $1 and request_key = 'one'`,
      [person.id],
    )
    const input = { userId: person.userId, withdrawnReason: '퇴사', keysRevoked: true }
    expect((await maru.call(withdrawUser, input, admin)).code).toBe('KEYS_TOO_MANY')
    expect(await keysOf(person)).toEqual([])
    await sql(`delete from issued_keys where user_id = $1 and request_key = 'many 1'`, [person.id])
    expect((await maru.call(withdrawUser, input, admin)).status).toBe(200)
    expect(await keysOf(person)).toHaveLength(10_000)
    // The list of a user keeps 200.
    expect(await notificationsOf(person)).toHaveLength(200)
  })
})

describe('withdrawn accounts (rules/users#withdrawn-accounts)', () => {
  test('are found by a filter alone, the last one first, with when, by whom and why', async () => {
    const first = await withdrawn({ name: '찾을탈퇴', affiliation: 'BEL002' }, hr, '  퇴사 ')
    const own = await maru.createUser({ name: '찾을탈퇴', affiliation: 'BEL002' })
    await sql('update sessions set password_checked_at = now() where user_id = $1', [own.id])
    await maru.call(withdrawUser, { userId: own.userId, withdrawnReason: '무시' }, own)
    const { totalCount, users } = await list(admin, { name: '찾을탈퇴' })
    expect(totalCount).toBe(2)
    expect(users).toMatchObject([
      { rowNumber: 2, userId: own.userId, withdrawnBy: own.userId, withdrawnReason: '' },
      { userId: first.userId, withdrawnBy: hr.userId, withdrawnByName: '윤인사', withdrawnReason: '퇴사' },
    ])
    const { users: sorted } = await list(admin, { name: '찾을탈퇴', sort: 'withdrawnAt', order: 'ASC' })
    expect(sorted.map(({ userId }) => userId)).toEqual([first.userId, own.userId])
    expect(users[0]?.withdrawnAt).toMatch(/^\d{4}-\d{2}-\d{2} /)
    expect((await list(admin, { name: '찾을탈퇴', affiliationCode: 'BEL003' })).totalCount).toBe(0)
    expect((await list(admin, { name: '찾을탈퇴', withdrawn: false })).totalCount).toBe(0)
    expect((await list(admin, { keyword: first.userId })).totalCount).toBe(1)
    const { rows } = await sql(`select detail from audit_log where target = $1`, [first.userId])
    expect(rows).toEqual([{ detail: { reason: '퇴사', roleCode: { before: 'AUT003', after: null } } }])
  })

  test('are read as they were, within reach alone', async () => {
    const boss = await withdrawn({ role: 'admin' })
    const person = await withdrawn({ name: '읽을이', validTo: '2090-01-01' }, admin, '휴직')
    expect((await read(hr, person)).data).toMatchObject({
      name: '읽을이',
      roleName: '일반 사용자',
      validTo: '2090-01-01',
      withdrawnBy: admin.userId,
      withdrawnReason: '휴직',
      restorable: true,
    })
    expect((await read(hr, boss)).code).toBe('FORBIDDEN')
    expect((await list(hr)).users.map(({ userId }) => userId)).not.toContain(boss.userId)
    expect((await read(admin, hr)).code).toBe('USER_NOT_FOUND')
  })
})

describe('taking a withdrawal back (rules/users#taking-back)', () => {
  test('makes the account what it was, counted again, and leaves its sessions ended', async () => {
    const person = await withdrawn({ name: '돌아올이', affiliation: 'BEL007' })
    const count = async () => (await list(admin, { withdrawn: false, affiliationCode: 'BEL007' })).totalCount
    expect(await count()).toBe(0)
    const logIn = () => maru.call(login, { loginId: person.userId, password: PASSWORD })
    expect((await logIn()).code).toBe('ACCOUNT_WITHDRAWN')
    expect((await restore(hr, person)).status).toBe(200)
    expect(await count()).toBe(1)
    expect((await list(admin, { name: '돌아올이' })).totalCount).toBe(0)
    const { rows } = await sql('select count(*)::int as n from sessions where user_id = $1', [person.id])
    expect(rows).toEqual([{ n: 0 }])
    expect((await logIn()).status).toBe(200)
    const { rows: audit } = await sql(
      `select actor_id, detail #>> '{withdrawnAt,after}' as after from audit_log where target = $1 and action = 'user.restore'`,
      [person.userId],
    )
    expect(audit).toEqual([{ actor_id: hr.id, after: null }])
    expect((await restore(hr, person)).code).toBe('USER_NOT_FOUND')
  })

  test('refuses after 30 days, with an email in use, above the caller and by 일반 사용자', async () => {
    const late = await withdrawn()
    await sql(`update users set withdrawn_at = now() - interval '30 days 1 minute' where id = $1`, [late.id])
    expect((await read(hr, late)).data.restorable).toBe(false)
    expect(await restore(hr, late)).toMatchObject({ code: 'RESTORE_TOO_LATE', status: 400 })
    const taken = await withdrawn({ email: 'taken.back@example.com' })
    await sql(`update users set withdrawn_at = now() - interval '31 days' where id = $1`, [taken.id])
    await maru.createUser({ email: 'taken.back@example.com' })
    await sql(`update users set withdrawn_at = now() where id = $1`, [taken.id])
    expect(await restore(hr, taken)).toMatchObject({ code: 'EMAIL_TAKEN' })
    const boss = await withdrawn({ role: 'admin' })
    expect((await restore(hr, boss)).code).toBe('FORBIDDEN')
    expect((await restore(await maru.createUser(), late)).code).toBe('FORBIDDEN')
    expect((await restore(admin, boss)).status).toBe(200)
  })

  test('is refused to HR for an account whose role HR may not grant (rules/roles#giving)', async () => {
    await sql(
      `insert into roles (code, group_name, name_en, sort_order) values ('AUT950', '협력사', 'Partners', 9)`,
    )
    await sql(`insert into role_functions values ('AUT950', 'autho_partner_search')`)
    const person = await withdrawn()
    await sql(`update users set role_code = 'AUT950' where id = $1`, [person.id])
    expect(await restore(hr, person)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const { rows } = await sql('select withdrawn_at from users where id = $1', [person.id])
    expect(rows[0].withdrawn_at).not.toBeNull()
    expect((await restore(admin, person)).status).toBe(200)
  })

  test('is prevented by nobody who takes the address: it is reserved for 30 days (rules/users#e-mail)', async () => {
    await maru.services.jobs.stop()
    await maru.createPartner({ code: 'HEAD-1' })
    const boss = await withdrawn({ role: 'admin' })
    const { email } = boss
    const fields = {
      affiliationCode: 'BEL001',
      position: '과장',
      name: '김하늘',
      phoneNumber: '01098765432',
      validFrom: '2026-01-01',
      validTo: '2099-12-31',
      partnerCode: 'HEAD-1',
      roleCode: 'AUT003',
    }
    const register = (userId: string) =>
      maru.call(
        registerUser,
        { ...fields, userId, email, approvalCode: 'MEMAP001', managerPassword: PASSWORD },
        hr,
      )
    expect(await register('squatter.1')).toMatchObject({ code: 'EMAIL_TAKEN' })
    const rows = [{ ...fields, userId: 'squatter.2', email }]
    expect((await maru.call(checkImport, { rows }, hr)).data.errors).toMatchObject([{ field: 'email' }])
    expect((await maru.call(importUsers, { rows, managerPassword: PASSWORD }, hr)).code).toBe(
      'IMPORT_INVALID',
    )
    const person = await maru.createUser()
    const correction = { userId: person.userId, email, reason: '' }
    expect((await maru.call(requestEmail, correction, hr)).code).toBe('EMAIL_TAKEN')
    // A sign-up reveals nothing, and sends no code.
    const request = { email, certificationType: 'TYP001' as const, userId: 'squatter.3' }
    expect((await maru.call(certifyEmail, request)).status).toBe(200)
    const { rows: mails } = await sql('select text from mails where recipient = $1', [email])
    expect(mails).toHaveLength(1)
    expect(mails[0].text).not.toMatch(/^\d{6}$/m)
    expect((await restore(admin, boss)).status).toBe(200)

    const gone = await withdrawn({ email: 'free.again@example.com' })
    await sql(`update users set withdrawn_at = now() - interval '30 days 1 minute' where id = $1`, [gone.id])
    expect((await maru.createUser({ email: 'free.again@example.com' })).userId).not.toBe('')
  })
})
