import { expect, test } from 'vitest'
import { LOCK } from './locks.ts'

test('no two locks share a number: a start would wait for the sweep of another server', () => {
  const numbers = Object.values(LOCK)
  expect(new Set(numbers).size).toBe(numbers.length)
})
