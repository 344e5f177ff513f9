import { expect, test } from 'vitest'
import { LOCK } from './locks.ts'

test('gives no two locks one number, or a start would wait for another server’s sweep', () => {
  const numbers = Object.values(LOCK)
  expect(new Set(numbers).size).toBe(numbers.length)
})
