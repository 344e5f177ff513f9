import { expect, test } from 'vitest'
import { LOCK } from './locks.ts'
import { migrations } from './migrate.ts'

test('no two locks share a number: a start would wait for the sweep of another server', () => {
  const numbers = Object.values(LOCK)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('the trigger of the notices takes the lock that the counting takes', () => {
  const step = migrations.find(({ name }) => name === '007-notices-search')
  expect(step?.sql).toContain(`pg_advisory_xact_lock_shared(${LOCK.noticeIndex})`)
})
