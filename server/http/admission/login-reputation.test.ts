import { expect, onTestFinished, test, vi } from 'vitest'
import { createLoginReputation } from './login-reputation.ts'

/* Priority of networks in the queue of logins (rules/running#load). */

test('ranks networks with logins first, unknown ones second and guessing ones last', () => {
  const reputation = createLoginReputation()
  reputation.recordSuccess('office')
  reputation.recordFailure('guesser')
  expect(['office', 'new', 'guesser'].map((network) => reputation.priorityOf(network))).toEqual([0, 1, 2])
})

test('lets an office of many users mistype, up to a limit', () => {
  const reputation = createLoginReputation()
  for (let i = 0; i < 100; i += 1) reputation.recordSuccess('office')
  for (let i = 0; i < 19; i += 1) reputation.recordFailure('office')
  expect(reputation.priorityOf('office')).toBe(0)
  for (let i = 0; i < 2; i += 1) reputation.recordFailure('office')
  expect(reputation.priorityOf('office')).toBe(2)
})

test('deletes failures after 15 minutes', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const reputation = createLoginReputation()
  for (let i = 0; i < 50; i += 1) reputation.recordFailure('guesser')
  expect(reputation.priorityOf('guesser')).toBe(2)
  vi.advanceTimersByTime(15 * 60_000 + 1)
  expect(reputation.priorityOf('guesser')).toBe(1)
})

test('keeps at most 10,000 networks', () => {
  const reputation = createLoginReputation()
  reputation.recordFailure('first')
  for (let i = 0; i < 10_000; i += 1) reputation.recordFailure(`made up ${i}`)
  expect(reputation.priorityOf('first')).toBe(1)
})
