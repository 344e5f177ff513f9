import { describe, expect, test } from 'vitest'
import {
  type Actor,
  can,
  canAdminister,
  canChangeRole,
  canGrant,
  type GivenRole,
  reaches,
  ROLE,
  FUNCTIONS,
  type FunctionName,
} from './permissions.ts'

const admin: Actor = { userId: 'admin', functions: FUNCTIONS }
const hr: Actor = {
  userId: 'hr',
  functions: ['autho_user_manage', 'autho_user_insert', 'autho_notice_manage', 'autho_key_search'],
}
const user: Actor = { userId: 'user', functions: ['autho_key_search'] }

/** A custom role that administers users and roles, but not 관리자. */
const officer: Actor = { userId: 'officer', functions: ['autho_user_manage', 'autho_role_manage'] }

describe('who may administer whom and grant what (rules/roles#reach)', () => {
  const roles: Record<string, GivenRole> = {
    관리자: { roleCode: ROLE.admin, functions: admin.functions },
    '인사 관리자': { roleCode: ROLE.hr, functions: hr.functions },
    '일반 사용자': { roleCode: ROLE.user, functions: user.functions },
    '권한 담당': { roleCode: 'AUT900', functions: officer.functions },
  }
  test.each([
    ['관리자', admin, ['관리자', '인사 관리자', '일반 사용자', '권한 담당']],
    ['인사 관리자', hr, ['인사 관리자', '일반 사용자']],
    ['권한 담당', officer, ['일반 사용자', '권한 담당']],
  ])('%s reaches only roles that hold no power beyond their own', (_, actor, reached) => {
    for (const [name, role] of Object.entries(roles)) {
      const may = reached.includes(name)
      const { functions } = role
      expect.soft(canGrant(actor, role), `grants ${name}`).toBe(may)
      expect.soft(reaches(actor, role), `reaches ${name}`).toBe(may)
      expect.soft(canAdminister(actor, { userId: 'somebody', functions }), `administers ${name}`).toBe(may)
    }
  })

  test('nobody administers others without autho_user_manage', () => {
    expect(canAdminister(user, { userId: 'somebody', functions: [] })).toBe(false)
  })

  test('nobody administers their own account', () => {
    for (const actor of [admin, hr, officer]) expect(canAdminister(actor, actor)).toBe(false)
  })

  test('nobody gives a role with a function that they lack, however ordinary (rules/roles#giving)', () => {
    for (const name of FUNCTIONS)
      expect.soft(canGrant(hr, { roleCode: 'AUT900', functions: [name] }), name).toBe(can(hr, name))
    const functions: FunctionName[] = ['autho_key_search', 'autho_partner_search']
    expect(canGrant(hr, { roleCode: 'AUT900', functions })).toBe(false)
    expect(canAdminister(hr, { userId: 'somebody', functions })).toBe(true)
  })

  test('HR gives 일반 사용자 whatever everybody may do, but no power', () => {
    expect(canGrant(hr, { roleCode: ROLE.user, functions: ['autho_partner_search'] })).toBe(true)
    expect(canGrant(hr, { roleCode: ROLE.user, functions: ['autho_role_manage'] })).toBe(false)
  })

  test.each([
    'autho_admin_manage',
    'autho_role_manage',
    'autho_setting_manage',
    'autho_audit_search',
    'autho_export_personal',
  ] as const)('HR may neither grant nor administer a custom role that holds %s', (name) => {
    const functions: FunctionName[] = ['autho_key_search', name]
    expect(canGrant(hr, { roleCode: 'AUT900', functions })).toBe(false)
    expect(canAdminister(hr, { userId: 'somebody', functions })).toBe(false)
  })
})

describe('changing a role', () => {
  test('is limited to functions that one holds oneself', () => {
    for (const name of FUNCTIONS) {
      expect.soft(canChangeRole(admin, user, name), name).toBe(true)
      expect.soft(canChangeRole(officer, user, name), name).toBe(officer.functions.includes(name))
      expect.soft(canChangeRole(hr, user, name), name).toBe(false)
    }
  })

  test('is refused for a role above one’s own, even for functions that both hold', () => {
    expect(canChangeRole(officer, hr, 'autho_user_manage')).toBe(false)
    expect(canChangeRole(officer, admin, 'autho_role_manage')).toBe(false)
  })
})

test('a function is held only under its exact name', () => {
  expect(can(user, 'autho_key_search')).toBe(true)
  expect(can(user, 'autho_user_manage')).toBe(false)
  expect(can({ userId: 'x', functions: [] }, 'autho_key_search')).toBe(false)
})
