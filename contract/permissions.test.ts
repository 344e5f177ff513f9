import { describe, expect, test } from 'vitest'
import { type Actor, can, canAdminister, canEditNotice, canGrant, FUNCTIONS, ROLE } from './permissions.ts'

const admin: Actor = { userId: 'admin', functions: FUNCTIONS }
const hr: Actor = {
  userId: 'hr',
  functions: ['autho_user_manage', 'autho_user_insert', 'autho_notice_manage', 'autho_key_search'],
}
const user: Actor = { userId: 'user', functions: ['autho_key_search'] }

describe('who may administer whom (decisions §5)', () => {
  test.each([
    ['관리자', admin, { [ROLE.admin]: true, [ROLE.hr]: true, [ROLE.user]: true }],
    ['인사 관리자', hr, { [ROLE.admin]: false, [ROLE.hr]: true, [ROLE.user]: true }],
    ['일반 사용자', user, { [ROLE.admin]: false, [ROLE.hr]: false, [ROLE.user]: false }],
  ])('%s', (_, actor, expected) => {
    for (const [role, may] of Object.entries(expected)) {
      expect.soft(canAdminister(actor, { userId: 'somebody', role }), role).toBe(may)
    }
  })

  test('nobody administers the own account', () => {
    expect(canAdminister(admin, { userId: 'admin', role: ROLE.admin })).toBe(false)
    expect(canAdminister(hr, { userId: 'hr', role: ROLE.hr })).toBe(false)
  })

  test('관리자 is granted only by who may act on 관리자 accounts', () => {
    expect([admin, hr, user].map((actor) => canGrant(actor, ROLE.admin))).toEqual([true, false, false])
    expect(canGrant(hr, ROLE.hr)).toBe(true)
  })
})

test('a notice is edited by its author and by who manages notices (spec §6)', () => {
  const of = { userId: 'user' }
  expect([admin, hr, user].map((actor) => canEditNotice(actor, of))).toEqual([true, true, true])
  expect(canEditNotice({ ...user, userId: 'another' }, of)).toBe(false)
})

test('a function is held or not, by its exact name', () => {
  expect(can(user, 'autho_key_search')).toBe(true)
  expect(can(user, 'autho_user_manage')).toBe(false)
  expect(can({ userId: 'x', functions: [] }, 'autho_key_search')).toBe(false)
})
