import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getAuthority, listMenus } from '../../../contract/common.ts'
import { FUNCTIONS, type FunctionName } from '../../../contract/permissions.ts'
import {
  createRole,
  grantFunction,
  listRoleChanges,
  listRolesWithFunctions,
  removeRole,
  renameRole,
  revokeFunction,
} from '../../../contract/roles.ts'
import { listUsers } from '../../../contract/users.ts'
import { useMaru } from '../../test-kit/maru.ts'
import type { TestUser } from '../../test-kit/people.ts'

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
  const names = { ROLE_NAME: `권한 ${made}`, ROLE_NAME_EN: `Role ${made}` }
  const { data } = await maru.call(createRole, names, admin)
  for (const name of functions)
    await sql('insert into role_functions values ($1, $2)', [data.ROLE_CODE, name])
  return data.ROLE_CODE
}
async function personWith(...functions: FunctionName[]): Promise<TestUser & { role: string }> {
  const role = await roleWith(...functions)
  const person = await maru.createUser()
  await sql('update users set role_code = $2 where id = $1', [person.id, role])
  return { ...person, role }
}
const grant = (by: TestUser, ROLE_CODE: string, FUNCTION_NAME: FunctionName) =>
  maru.call(grantFunction, { ROLE_CODE, FUNCTION_NAME }, by)
const revoke = (by: TestUser, ROLE_CODE: string, FUNCTION_NAME: FunctionName) =>
  maru.call(revokeFunction, { ROLE_CODE, FUNCTION_NAME }, by)
const rolesOf = async () => (await maru.call(listRolesWithFunctions, {}, admin)).data.ROLE_LIST
const functionsOf = async (code: string) =>
  (await rolesOf()).find((role) => role.ROLE_CODE === code)?.FUNCTIONS ?? []
const changes = async () => (await maru.call(listRoleChanges, { PER_PAGE: 100 }, admin)).data.CHANGE_LIST
const everything = async () =>
  (
    await sql(
      'select r.*, array(select function_name from role_functions f where f.role_code = r.code) from roles r order by code',
    )
  ).rows

/** What the person may do by now. */
const see = async () => ({
  menu: (await maru.call(listMenus, {}, user)).data.flatMap(({ DATA }) => DATA.map(({ URL }) => URL)),
  functions: (await maru.call(getAuthority, {}, user)).data.FUNCTIONS,
  status: (await maru.call(listUsers, {}, user)).status,
})

describe('roles against functions (issue 4)', () => {
  test('the built-in roles first, with what they may do and how many have them', async () => {
    const roles = await rolesOf()
    expect(roles.slice(0, 3)).toEqual([
      {
        ROLE_CODE: 'AUT001',
        ROLE_NAME: '관리자',
        ROLE_NAME_EN: 'Administrator',
        FUNCTIONS: FUNCTIONS.toSorted(),
        BUILT_IN: 'Y',
        USER_COUNT: 1,
      },
      expect.objectContaining({ ROLE_CODE: 'AUT002', BUILT_IN: 'Y', USER_COUNT: 1 }),
      expect.objectContaining({ ROLE_CODE: 'AUT003', FUNCTIONS: ['autho_key_search'] }),
    ])
  })

  test('a granted function counts with the next call of sessions that run, in menu and authority too; a revoked one as well', async () => {
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

  test('what is there already is not granted twice, what is gone not revoked twice: the second is told', async () => {
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

describe('adding, renaming, removing', () => {
  test('a new role may do nothing, and its Korean name is the group name', async () => {
    const person = await personWith()
    expect((await maru.call(getAuthority, {}, person)).data).toMatchObject({
      GROUP_NAME: `권한 ${made}`,
      FUNCTIONS: [],
    })
    const english = await maru.call(getAuthority, {}, { session: person.session, language: 'en' })
    expect(english.data).toMatchObject({ GROUP_NAME: `권한 ${made}`, GROUP_LABEL: `Role ${made}` })
  })

  test('renaming keeps members and functions', async () => {
    const person = await personWith('autho_partner_search')
    const names = { ROLE_NAME: '협력사 담당', ROLE_NAME_EN: 'Partner desk' }
    expect((await maru.call(renameRole, { ROLE_CODE: person.role, ...names }, admin)).status).toBe(200)
    expect((await maru.call(getAuthority, {}, person)).data).toMatchObject({
      GROUP_NAME: '협력사 담당',
      FUNCTIONS: ['autho_partner_search'],
    })
  })

  test('two roles have no name in common, of two at once one gets it', async () => {
    for (const names of [
      { ROLE_NAME: '관리자', ROLE_NAME_EN: 'Other' },
      { ROLE_NAME: '다른 이름', ROLE_NAME_EN: 'administrator' },
    ]) {
      expect((await maru.call(createRole, names, admin)).code).toBe('ROLE_NAME_TAKEN')
    }
    const names = { ROLE_NAME: '동시에', ROLE_NAME_EN: 'At once' }
    const answers = await Promise.all([1, 2, 3].map(() => maru.call(createRole, names, admin)))
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      'OK',
      'ROLE_NAME_TAKEN',
      'ROLE_NAME_TAKEN',
    ])
    const role = await roleWith()
    expect((await maru.call(renameRole, { ROLE_CODE: role, ...names }, admin)).code).toBe('ROLE_NAME_TAKEN')
  })

  test('built-in roles are neither renamed nor removed', async () => {
    const before = await everything()
    for (const ROLE_CODE of ['AUT001', 'AUT002', 'AUT003']) {
      const names = { ROLE_NAME: '새 이름', ROLE_NAME_EN: 'New name' }
      expect((await maru.call(renameRole, { ROLE_CODE, ...names }, admin)).code).toBe('ROLE_BUILT_IN')
      expect((await maru.call(removeRole, { ROLE_CODE }, admin)).code).toBe('ROLE_BUILT_IN')
    }
    expect(await everything()).toEqual(before)
  })

  test('a role in use is not removed; one that only withdrawn accounts had is, and they fall back to 일반 사용자', async () => {
    const person = await personWith('autho_key_search')
    expect((await maru.call(removeRole, { ROLE_CODE: person.role }, admin)).code).toBe('ROLE_IN_USE')
    await sql('update users set withdrawn_at = now() where id = $1', [person.id])
    expect((await maru.call(removeRole, { ROLE_CODE: person.role }, admin)).status).toBe(200)
    expect((await sql('select role_code from users where id = $1', [person.id])).rows[0].role_code).toBe(
      'AUT003',
    )
    expect((await maru.call(removeRole, { ROLE_CODE: person.role }, admin)).code).toBe('ROLE_NOT_FOUND')
  })

  test('a role that is no more is ROLE_NOT_FOUND, and its code is not given again', async () => {
    const role = await roleWith()
    await maru.call(removeRole, { ROLE_CODE: role }, admin)
    expect((await grant(admin, role, 'autho_key_search')).code).toBe('ROLE_NOT_FOUND')
    expect(await roleWith()).not.toBe(role)
  })
})

describe('nobody is locked out', () => {
  test('관리자 keeps every function', async () => {
    for (const name of FUNCTIONS) expect((await revoke(admin, 'AUT001', name)).code).toBe('ROLE_FIXED')
    expect(await functionsOf('AUT001')).toEqual(FUNCTIONS.toSorted())
  })
})

describe('nobody raises rights beyond the own', () => {
  test('누구도 자기에게 없는 기능을 어떤 권한에도 부여하지 못한다: what one lacks one neither grants nor revokes, for no role', async () => {
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

  test('a role above the own is out of reach whole: not even what both hold, no new name, no end', async () => {
    const officer = await personWith('autho_role_manage', 'autho_key_search')
    const above = await roleWith('autho_user_manage')
    const names = { ROLE_NAME: '낮춘 이름', ROLE_NAME_EN: 'Lowered' }
    const before = await everything()
    for (const role of [above, 'AUT001', 'AUT002']) {
      expect.soft((await grant(officer, role, 'autho_key_search')).code).toBe('FORBIDDEN')
      expect.soft((await revoke(officer, role, 'autho_key_search')).code).toBe('FORBIDDEN')
      expect
        .soft((await maru.call(renameRole, { ROLE_CODE: role, ...names }, officer)).code)
        .toBe('FORBIDDEN')
      expect.soft((await maru.call(removeRole, { ROLE_CODE: role }, officer)).code).toBe('FORBIDDEN')
    }
    expect(await everything()).toEqual(before)
  })

  test('인사 관리자 and 일반 사용자 neither see nor change any of it', async () => {
    const before = await everything()
    for (const by of [hr, user]) {
      const answers = [
        await maru.call(listRolesWithFunctions, {}, by),
        await maru.call(listRoleChanges, {}, by),
        await grant(by, 'AUT002', 'autho_key_search'),
        await revoke(by, 'AUT003', 'autho_key_search'),
        await maru.call(createRole, { ROLE_NAME: '몰래', ROLE_NAME_EN: 'Secret' }, by),
      ]
      for (const answer of answers) expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await everything()).toEqual(before)
  })
})

describe('the record of changes', () => {
  test('who, when, what, before and after; newest first', async () => {
    const role = await roleWith()
    const state = { ROLE_NAME: `권한 ${made}`, ROLE_NAME_EN: `Role ${made}` }
    await grant(admin, role, 'autho_key_search')
    await maru.call(renameRole, { ROLE_CODE: role, ROLE_NAME: '키 담당', ROLE_NAME_EN: 'Key desk' }, admin)
    await revoke(admin, role, 'autho_key_search')
    await maru.call(removeRole, { ROLE_CODE: role }, admin)
    const renamed = { ROLE_NAME: '키 담당', ROLE_NAME_EN: 'Key desk' }
    const rows = (await changes()).filter((change) => change.ROLE_CODE === role)
    expect(rows.map(({ BEFORE, AFTER }) => [BEFORE, AFTER])).toEqual([
      [{ ...renamed, FUNCTIONS: [] }, null],
      [
        { ...renamed, FUNCTIONS: ['autho_key_search'] },
        { ...renamed, FUNCTIONS: [] },
      ],
      [
        { ...state, FUNCTIONS: ['autho_key_search'] },
        { ...renamed, FUNCTIONS: ['autho_key_search'] },
      ],
      [
        { ...state, FUNCTIONS: [] },
        { ...state, FUNCTIONS: ['autho_key_search'] },
      ],
      [null, { ...state, FUNCTIONS: [] }],
    ])
    expect(rows[0]).toMatchObject({
      USER_ID: admin.userId,
      NAME: '김관리',
      CHANGE_DATETIME: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
  })

  test('a refused change leaves no row', async () => {
    const before = await changes()
    await revoke(admin, 'AUT001', 'autho_role_manage')
    await grant(hr, 'AUT002', 'autho_admin_manage')
    expect(await changes()).toEqual(before)
  })

  test('paged, NO counts down', async () => {
    const { data } = await maru.call(listRoleChanges, { PAGE: 2, PER_PAGE: 3 }, admin)
    expect(data.CHANGE_LIST.map(({ NO }) => NO)).toEqual([
      data.TOTAL_COUNT - 3,
      data.TOTAL_COUNT - 4,
      data.TOTAL_COUNT - 5,
    ])
  })
})
