import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'
import { audit as en } from './messages/en/audit.ts'
import { audit as ko } from './messages/ko/audit.ts'

test('gives every change a name of its own, and a text in both languages (rules/audit#actions)', () => {
  const written = endpoints.flatMap(({ endpoint: { audit } }) => (audit === 'none' ? [] : [audit]))
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(written))
  for (const { actions } of [ko, en]) {
    expect(new Set(Object.values(actions)).size).toBe(AUDIT_ACTIONS.length)
  }
})

test('does not compile a call that opens or closes an account without reauthentication (rules/account#confirmation)', () => {
  const call = {
    path: '/x/v1/lock/user',
    summary: '',
    access: 'signed-in',
    audit: 'user.suspend',
    personal: 'none',
  } as const
  // @ts-expect-error It closes an account, and does not say how its caller reauthenticates.
  endpoint(call)
  // @ts-expect-error A program cannot reauthenticate.
  endpoint({ ...call, confirmed: 'always', programs: true })
  expect(endpoint({ ...call, confirmed: 'always' }).confirmed).toBe('always')
  expect(endpoint({ ...call, audit: 'notice.create' }).audit).toBe('notice.create')
  expect(endpoint({ ...call, access: 'public' }).access).toBe('public')
})
