import { expect, test } from 'vitest'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { endpoints } from './index.ts'
import { audit as en } from './messages/en/audit.ts'
import { audit as ko } from './messages/ko/audit.ts'

test('every change has a name of its own, and words in both languages (rules/audit#actions)', () => {
  const written = endpoints.flatMap(({ endpoint: { audit } }) => (audit === 'none' ? [] : [audit]))
  expect(AUDIT_ACTIONS).toEqual(expect.arrayContaining(written))
  for (const { actions } of [ko, en]) {
    expect(new Set(Object.values(actions)).size).toBe(AUDIT_ACTIONS.length)
  }
})
