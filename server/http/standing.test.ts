import { expect, onTestFinished, test, vi } from 'vitest'
import { createStandings } from './standing.ts'

/* Who goes first among those who log in (rules/running#load). */

test('a network from which people work goes first, one of which nothing is known then, one that guesses last', () => {
  const standings = createStandings()
  standings.wentRight('office')
  standings.wentWrong('guesser')
  expect(['office', 'new', 'guesser'].map((network) => standings.of(network))).toEqual([0, 1, 2])
})

test('an office of many may mistype, and is not told apart from a guesser who guesses more than its people know', () => {
  const standings = createStandings()
  for (let i = 0; i < 100; i += 1) standings.wentRight('office')
  for (let i = 0; i < 19; i += 1) standings.wentWrong('office')
  expect(standings.of('office')).toBe(0)
  for (let i = 0; i < 2; i += 1) standings.wentWrong('office')
  expect(standings.of('office')).toBe(2)
})

test('wrong passwords are forgotten after a quarter of an hour', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const standings = createStandings()
  for (let i = 0; i < 50; i += 1) standings.wentWrong('guesser')
  expect(standings.of('guesser')).toBe(2)
  vi.advanceTimersByTime(15 * 60_000 + 1)
  expect(standings.of('guesser')).toBe(1)
})

test('of networks that are made up no more are kept than ten thousand', () => {
  const standings = createStandings()
  standings.wentWrong('first')
  for (let i = 0; i < 10_000; i += 1) standings.wentWrong(`made up ${i}`)
  expect(standings.of('first')).toBe(1)
})
