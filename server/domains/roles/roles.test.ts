import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listHistory } from '../../../contract/audit.ts'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import { FUNCTIONS, type FunctionName } from '../../../contract/permissions.ts'
import {
  createRole,
  grantFunction,
  listRolesWithFunctions,
  removeRole,
  renameRole,
  revokeFunction,
} from '../../../contract/roles.ts'
import { listUsers } from '../../../contract/users.ts'
import { untilBlocked } from '../../../dev/test-kit/locks.ts'
import { useMaru } from '../../../dev/test-kit/maru.ts'
import type { TestUser } from '../../../dev/test-kit/people.ts'

const maru = useMaru()
const sql = (text: string, values: unknown[] = []) => maru.database.pool.query(text, values)

let admin: TestUser
let hr: TestUser
let user: TestUser
let made = 0

beforeAll(async () => {
  admin = await maru.createUser({ role: 'admin', name: '김관리' })
  hr = await maru.createUser({ role: 'hr' })
  user = await maru.createUser()
})

// The built-in roles are as they were after each test.
afterEach(async () => {
  await sql(`delete from role_functions where role_code = 'AUT003'`)
  await sql(`insert into role_functions values ('AUT003', 'autho_key_search')`)
})

/** A role with these functions, made by the call and filled by hand. */
async function roleWith(...functions: FunctionName[]): Promise<string> {
  made += 1
  const names = { roleName: `권한 ${made}`, roleNameEn: `Role ${made}` }
  const { data } = await maru.call(createRole, names, admin)
  for (const name of functions) await sql('insert into role_functions values ($1, $2)', [data.roleCode, name])
  return data.roleCode
}
async function personWith(...functions: FunctionName[]): Promise<TestUser & { role: string }> {
  const role = await roleWith(...functions)
  const person = await maru.createUser()
  await sql('update users set role_code = $2 where id = $1', [person.id, role])
  return { ...person, role }
}
const grant = (by: TestUser, roleCode: string, functionName: FunctionName) =>
  maru.call(grantFunction, { roleCode, functionName }, by)
const revoke = (by: TestUser, roleCode: string, functionName: FunctionName) =>
  maru.call(revokeFunction, { roleCode, functionName }, by)
const rolesOf = async () => (await maru.call(listRolesWithFunctions, {}, admin)).data.roles
const functionsOf = async (code: string) =>
  (await rolesOf()).find((role) => role.roleCode === code)?.functions ?? []
const history = async (language = 'ko') => {
  const input = { recordKind: 'role', perPage: 100 } as const
  return (await maru.call(listHistory, input, { session: admin.session, language })).data.rows
}
const everything = async () =>
  (
    await sql(
      'select r.*, array(select function_name from role_functions f where f.role_code = r.code) from roles r order by code',
    )
  ).rows

/** Returns the user's current permissions: menu, functions and the status of a call. */
const see = async () => ({
  menu: (await maru.call(listMenus, {}, user)).data.flatMap(({ items }) => items.map(({ url }) => url)),
  functions: (await maru.call(getAuthority, {}, user)).data.functions,
  status: (await maru.call(listUsers, {}, user)).status,
})

describe('roles and functions (rules/roles#functions, rules/roles#effect-of-changes)', () => {
  test('lists the built-in roles first, with their permissions and member counts', async () => {
    const roles = await rolesOf()
    expect(roles.slice(0, 3)).toEqual([
      {
        roleCode: 'AUT001',
        roleName: '관리자',
        roleNameEn: 'Administrator',
        functions: FUNCTIONS.toSorted(),
        span: 'all',
        builtIn: true,
        userCount: 1,
      },
      expect.objectContaining({ roleCode: 'AUT002', builtIn: true, userCount: 1 }),
      expect.objectContaining({
        roleCode: 'AUT003',
        functions: ['autho_key_own', 'autho_key_search', 'autho_notice_insert'],
      }),
    ])
  })

  test('applies a change to the next call of running sessions, in menu and authority too', async () => {
    const before = await see()
    expect(before.status).toBe(403)
    expect((await grant(admin, 'AUT003', 'autho_user_manage')).status).toBe(200)
    const granted = await see()
    expect(granted.status).toBe(200)
    expect(granted.menu).toContain('/user/search')
    expect(granted.functions).toContain('autho_user_manage')
    expect((await revoke(admin, 'AUT003', 'autho_user_manage')).status).toBe(200)
    expect(await see()).toEqual(before)
  })

  test('refuses the second of two concurrent changes of the same permission', async () => {
    const role = await roleWith('autho_key_search')
    expect((await grant(admin, role, 'autho_key_search')).code).toBe('RECORD_CHANGED')
    expect((await revoke(admin, role, 'autho_partner_search')).code).toBe('RECORD_CHANGED')
    const answers = await Promise.all([1, 2, 3].map(() => grant(admin, role, 'autho_notice_manage')))
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      'RECORD_CHANGED',
      'RECORD_CHANGED',
    ])
  })
})

describe('adding, renaming and removing roles (rules/roles#new-role, rules/roles#rename-and-remove)', () => {
  test('creates a role without permissions, with its Korean name as the group name', async () => {
    const person = await personWith()
    expect((await maru.call(getAuthority, {}, person)).data).toMatchObject({
      groupName: `권한 ${made}`,
      functions: [],
    })
    const english = await maru.call(getAuthority, {}, { session: person.session, language: 'en' })
    expect(english.data).toMatchObject({ groupName: `권한 ${made}`, groupLabel: `Role ${made}` })
  })

  test('keeps members and permissions of a renamed role', async () => {
    const person = await personWith('autho_partner_search')
    const names = { roleName: '협력사 담당', roleNameEn: 'Partner desk' }
    expect((await maru.call(renameRole, { roleCode: person.role, ...names }, admin)).status).toBe(200)
    expect((await maru.call(getAuthority, {}, person)).data).toMatchObject({
      groupName: '협력사 담당',
      functions: ['autho_partner_search'],
    })
  })

  test('refuses a second role of a name, even if created concurrently', async () => {
    for (const names of [
      { roleName: '관리자', roleNameEn: 'Other' },
      { roleName: '다른 이름', roleNameEn: 'administrator' },
    ]) {
      expect((await maru.call(createRole, names, admin)).code).toBe('ROLE_NAME_TAKEN')
    }
    const names = { roleName: '동시에', roleNameEn: 'At once' }
    const answers = await Promise.all([1, 2, 3].map(() => maru.call(createRole, names, admin)))
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      'ROLE_NAME_TAKEN',
      'ROLE_NAME_TAKEN',
    ])
    const role = await roleWith()
    expect((await maru.call(renameRole, { roleCode: role, ...names }, admin)).code).toBe('ROLE_NAME_TAKEN')
  })

  test('refuses to rename or remove a built-in role', async () => {
    const before = await everything()
    for (const roleCode of ['AUT001', 'AUT002', 'AUT003']) {
      const names = { roleName: '새 이름', roleNameEn: 'New name' }
      expect((await maru.call(renameRole, { roleCode, ...names }, admin)).code).toBe('ROLE_BUILT_IN')
      expect((await maru.call(removeRole, { roleCode }, admin)).code).toBe('ROLE_BUILT_IN')
    }
    expect(await everything()).toEqual(before)
  })

  test('deletes only unused roles; withdrawn users of one fall back to 일반 사용자', async () => {
    const person = await personWith('autho_key_search')
    expect((await maru.call(removeRole, { roleCode: person.role }, admin)).code).toBe('ROLE_IN_USE')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await maru.call(removeRole, { roleCode: person.role }, admin)).status).toBe(200)
    expect((await sql('select role_code from users where id = $1', [person.id])).rows[0].role_code).toBe(
      'AUT003',
    )
    expect((await maru.call(removeRole, { roleCode: person.role }, admin)).code).toBe('ROLE_NOT_FOUND')
  })

  test('refuses to delete a role that a concurrent restoration makes used again', async () => {
    const person = await personWith('autho_key_search')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    const restoring = await maru.database.pool.connect()
    await restoring.query('begin')
    await restoring.query('update users set withdrawn_at = null where id = $1', [person.id])
    const removing = maru.call(removeRole, { roleCode: person.role }, admin)
    await untilBlocked(restoring)
    await restoring.query('commit')
    restoring.release()
    expect(await removing).toMatchObject({ status: 400, code: 'ROLE_IN_USE' })
    expect((await sql('select role_code from users where id = $1', [person.id])).rows[0].role_code).toBe(
      person.role,
    )
    expect(await functionsOf(person.role)).toEqual(['autho_key_search'])
  })

  test('answers ROLE_NOT_FOUND for a removed role, and never reuses its code', async () => {
    const role = await roleWith()
    await maru.call(removeRole, { roleCode: role }, admin)
    expect((await grant(admin, role, 'autho_key_search')).code).toBe('ROLE_NOT_FOUND')
    expect(await roleWith()).not.toBe(role)
  })
})

describe('the 관리자 role', () => {
  test('keeps every function, so that nobody is locked out', async () => {
    for (const name of FUNCTIONS) expect((await revoke(admin, 'AUT001', name)).code).toBe('ROLE_FIXED')
    expect(await functionsOf('AUT001')).toEqual(FUNCTIONS.toSorted())
  })
})

describe('limits to changing roles (rules/roles#grant-and-revoke)', () => {
  test('lets no one grant or revoke a permission they do not hold', async () => {
    const officer = await personWith('autho_role_manage', 'autho_key_search')
    const lower = await roleWith('autho_partner_search')
    for (const role of [officer.role, lower, 'AUT001', 'AUT002', 'AUT003']) {
      for (const name of FUNCTIONS.filter((f) => f !== 'autho_role_manage' && f !== 'autho_key_search')) {
        const before = await everything()
        expect.soft(await grant(officer, role, name)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
        expect.soft(await revoke(officer, role, name)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
        expect(await everything()).toEqual(before)
      }
    }
    expect((await grant(officer, lower, 'autho_key_search')).status).toBe(200)
  })

  test('refuses to change, rename or remove a role above the caller’s', async () => {
    const officer = await personWith('autho_role_manage', 'autho_key_search')
    const above = await roleWith('autho_user_manage')
    const names = { roleName: '낮춘 이름', roleNameEn: 'Lowered' }
    const before = await everything()
    for (const role of [above, 'AUT001', 'AUT002']) {
      expect.soft((await grant(officer, role, 'autho_key_search')).code).toBe('FORBIDDEN')
      expect.soft((await revoke(officer, role, 'autho_key_search')).code).toBe('FORBIDDEN')
      expect.soft((await maru.call(renameRole, { roleCode: role, ...names }, officer)).code).toBe('FORBIDDEN')
      expect.soft((await maru.call(removeRole, { roleCode: role }, officer)).code).toBe('FORBIDDEN')
    }
    expect(await everything()).toEqual(before)
  })

  test('hides roles from 인사 관리자 and 일반 사용자', async () => {
    const before = await everything()
    for (const by of [hr, user]) {
      const answers = [
        await maru.call(listRolesWithFunctions, {}, by),
        await maru.call(listHistory, { recordKind: 'role' }, by),
        await grant(by, 'AUT002', 'autho_key_search'),
        await revoke(by, 'AUT003', 'autho_key_search'),
        await maru.call(createRole, { roleName: '몰래', roleNameEn: 'Secret' }, by),
      ]
      for (const answer of answers) expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await everything()).toEqual(before)
  })
})

describe('the history of roles (rules/roles#record-of-role-changes, rules/audit#history)', () => {
  test('shows actor, role and time, with old and new values as text, newest first', async () => {
    const role = await roleWith()
    await grant(admin, role, 'autho_key_search')
    await maru.call(renameRole, { roleCode: role, roleName: '키 담당', roleNameEn: 'Key desk' }, admin)
    await revoke(admin, role, 'autho_key_search')
    await grant(admin, role, 'autho_partner_search')
    await maru.call(removeRole, { roleCode: role }, admin)
    const told = async (language: string) =>
      (await history(language))
        .slice(0, 6)
        .map(({ action, target, changes }) => [
          action,
          target,
          changes.map(({ item, before, after }) => `${item}: ${before} → ${after}`),
        ])
    expect(await told('ko')).toEqual([
      [
        '권한 그룹 삭제',
        '키 담당',
        ['범위: 전사 → ', '한글 이름: 키 담당 → ', '기능: 파트너 관리 → ', '영문 이름: Key desk → '],
      ],
      ['권한 그룹 기능 허용', '키 담당', ['파트너 관리: 허용 안 함 → 허용']],
      ['권한 그룹 기능 해제', '키 담당', ['전체 키 조회: 허용 → 허용 안 함']],
      [
        '권한 그룹 이름 변경',
        '키 담당',
        [`한글 이름: 권한 ${made} → 키 담당`, `영문 이름: Role ${made} → Key desk`],
      ],
      // The name as it was at that time, of a role that no longer exists.
      ['권한 그룹 기능 허용', `권한 ${made}`, ['전체 키 조회: 허용 안 함 → 허용']],
      [
        '권한 그룹 추가',
        `권한 ${made}`,
        ['범위:  → 전사', `한글 이름:  → 권한 ${made}`, `영문 이름:  → Role ${made}`],
      ],
    ])
    expect((await told('en')).slice(0, 2)).toEqual([
      [
        'Deleted role',
        'Key desk',
        [
          'Scope: Whole company → ',
          'Korean name: 키 담당 → ',
          'Permissions: Manage partners → ',
          'English name: Key desk → ',
        ],
      ],
      ['Granted permission', 'Key desk', ['Manage partners: not allowed → allowed']],
    ])
    expect((await history())[0]).toMatchObject({
      userId: admin.userId,
      name: '김관리',
      changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
  })

  test('has no row for a refused change', async () => {
    const before = await history()
    await revoke(admin, 'AUT001', 'autho_role_manage')
    await grant(hr, 'AUT002', 'autho_admin_manage')
    expect(await history()).toEqual(before)
  })

  test('is readable with the permission to manage roles, and reveals no other history', async () => {
    const officer = await personWith('autho_role_manage')
    const { data } = await maru.call(listHistory, { recordKind: 'role', page: 2, perPage: 3 }, officer)
    expect(data.rows.map(({ rowNumber }) => rowNumber)).toEqual([
      data.totalCount - 3,
      data.totalCount - 4,
      data.totalCount - 5,
    ])
    for (const recordKind of ['user', 'partner', 'notice', 'affiliation', 'setting'] as const)
      expect((await maru.call(listHistory, { recordKind }, officer)).code).toBe('FORBIDDEN')
  })
})
