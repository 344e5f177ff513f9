import { describe, expect, test } from 'vitest'
import {
  type Actor,
  can,
  canChangeRole,
  canGrant,
  type GivenRole,
  reaches,
  ROLE,
  FUNCTIONS,
  type FunctionName,
  type Rights,
  fitsSpan,
  BRANCH_FUNCTIONS,
} from './permissions.ts'

const admin: Actor = { userId: 'admin', functions: FUNCTIONS, within: null }
const hr: Actor = {
  userId: 'hr',
  functions: ['autho_user_manage', 'autho_user_insert', 'autho_notice_manage', 'autho_key_search'],
  within: null,
}
const user: Actor = { userId: 'user', functions: ['autho_key_search'], within: null }

/** A custom role that administers users and roles, but not 관리자. */
const officer: Actor = {
  userId: 'officer',
  functions: ['autho_user_manage', 'autho_role_manage'],
  within: null,
}

/** Returns the rights of a role of the whole company with the permissions of an actor. */
const whole = ({ functions }: Pick<Actor, 'functions'>): Rights => ({ functions, span: 'all' })

describe('who may administer whom and grant what (rules/roles#reach)', () => {
  const roles: Record<string, GivenRole> = {
    관리자: { roleCode: ROLE.admin, ...whole(admin) },
    '인사 관리자': { roleCode: ROLE.hr, ...whole(hr) },
    '일반 사용자': { roleCode: ROLE.user, ...whole(user) },
    '권한 담당': { roleCode: 'AUT900', ...whole(officer) },
  }
  test.each([
    ['관리자', admin, ['관리자', '인사 관리자', '일반 사용자', '권한 담당']],
    ['인사 관리자', hr, ['인사 관리자', '일반 사용자']],
    ['권한 담당', officer, ['일반 사용자', '권한 담당']],
  ])('%s reaches only roles that hold no power beyond their own', (_, actor, reached) => {
    for (const [name, role] of Object.entries(roles)) {
      const may = reached.includes(name)
      expect.soft(canGrant(actor, role), `grants ${name}`).toBe(may)
      expect.soft(reaches(actor, role), `reaches ${name}`).toBe(may)
    }
  })

  test('lets no one grant a role with a permission they lack, however ordinary (rules/roles#giving)', () => {
    for (const name of FUNCTIONS)
      expect
        .soft(canGrant(hr, { roleCode: 'AUT900', functions: [name], span: 'all' }), name)
        .toBe(can(hr, name))
    const functions: FunctionName[] = ['autho_key_search', 'autho_partner_search']
    expect(canGrant(hr, { roleCode: 'AUT900', functions, span: 'all' })).toBe(false)
    expect(reaches(hr, { functions, span: 'all' })).toBe(true)
  })

  test('lets HR grant 일반 사용자 ordinary permissions, but no privileged one', () => {
    expect(canGrant(hr, { roleCode: ROLE.user, functions: ['autho_partner_search'], span: 'all' })).toBe(true)
    expect(canGrant(hr, { roleCode: ROLE.user, functions: ['autho_role_manage'], span: 'all' })).toBe(false)
  })

  test.each([
    'autho_admin_manage',
    'autho_role_manage',
    'autho_setting_manage',
    'autho_audit_search',
    'autho_export_personal',
  ] as const)('keeps HR from granting or administering a custom role with %s', (name) => {
    const functions: FunctionName[] = ['autho_key_search', name]
    expect(canGrant(hr, { roleCode: 'AUT900', functions, span: 'all' })).toBe(false)
    expect(reaches(hr, { functions, span: 'all' })).toBe(false)
  })
})

describe('changing a role', () => {
  test('is limited to functions that one holds oneself', () => {
    for (const name of FUNCTIONS) {
      expect.soft(canChangeRole(admin, whole(user), name), name).toBe(true)
      expect.soft(canChangeRole(officer, whole(user), name), name).toBe(officer.functions.includes(name))
      expect.soft(canChangeRole(hr, whole(user), name), name).toBe(false)
    }
  })

  test('refuses a role above the officer’s, even for permissions that both hold', () => {
    expect(canChangeRole(officer, whole(hr), 'autho_user_manage')).toBe(false)
    expect(canChangeRole(officer, whole(admin), 'autho_role_manage')).toBe(false)
  })
})

test('matches a permission only by its exact name', () => {
  expect(can(user, 'autho_key_search')).toBe(true)
  expect(can(user, 'autho_user_manage')).toBe(false)
  expect(can({ functions: [] }, 'autho_key_search')).toBe(false)
})

describe('roles of one branch (rules/roles#branch-roles)', () => {
  const functions: FunctionName[] = ['autho_user_manage', 'autho_user_insert', 'autho_notice_manage']
  const branchHr: Actor = { userId: 'branch', functions, within: ['BEL002'] }

  test('are above no role of the whole company with a power, not even an equal one', () => {
    expect(reaches(branchHr, { functions, span: 'branch' })).toBe(true)
    expect(reaches(branchHr, { functions, span: 'all' })).toBe(false)
    expect(reaches(hr, { functions, span: 'branch' })).toBe(true)
  })

  test('grant 일반 사용자 and roles of a branch with permissions of their own', () => {
    expect(canGrant(branchHr, { roleCode: ROLE.user, ...whole(user) })).toBe(true)
    expect(canGrant(branchHr, { roleCode: 'AUT900', functions, span: 'branch' })).toBe(true)
    expect(canGrant(branchHr, { roleCode: 'AUT900', functions: [], span: 'all' })).toBe(false)
    const more: FunctionName[] = [...functions, 'autho_partner_search']
    expect(canGrant(branchHr, { roleCode: 'AUT900', functions: more, span: 'branch' })).toBe(false)
  })

  test('hold no permission for the whole company', () => {
    const forCompany: FunctionName[] = [
      'autho_admin_manage',
      'autho_role_manage',
      'autho_service_manage',
      'autho_setting_manage',
      'autho_audit_search',
      'autho_audit_manage',
    ]
    expect(FUNCTIONS.filter((name) => !fitsSpan('branch', name))).toEqual(forCompany)
    expect(BRANCH_FUNCTIONS.length + forCompany.length).toBe(FUNCTIONS.length)
    for (const name of forCompany)
      expect(canChangeRole(admin, { functions: [], span: 'branch' }, name), name).toBe(false)
  })
})
