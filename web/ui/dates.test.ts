import { expect, test } from 'vitest'
import { endOfMonths, periods, readDate } from './dates.ts'

test.each([
  ['2026-07-01', '2026-07-01'],
  ['20260701', '2026-07-01'],
  [' 2026.7.1. ', '2026-07-01'],
  ['2024-02-29', '2024-02-29'],
  ['1900-01-01', '1900-01-01'],
  ['2099-12-31', '2099-12-31'],
])('%s is read as %s', (typed, date) => expect(readDate(typed)).toBe(date))

test.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '1899-12-31',
  '2100-01-01',
  '0099-01-01',
  '202671',
  '07-01-2026',
  '어제',
  '',
])('%s is rejected rather than turned into another date', (typed) => expect(readDate(typed)).toBeNull())

test('finds the week from Monday and the month of a day, across months and years (rules/lists#date-presets)', () => {
  expect(periods('2026-11-22')).toEqual({
    day: ['2026-11-22', '2026-11-22'],
    week: ['2026-11-16', '2026-11-22'],
    month: ['2026-11-01', '2026-11-30'],
  })
  expect(periods('2027-01-01')).toMatchObject({
    week: ['2026-12-28', '2027-01-03'],
    month: ['2027-01-01', '2027-01-31'],
  })
})

test.each([
  ['2026-11-22', 12, '2027-11-21'],
  ['2026-03-01', 12, '2027-02-28'],
  ['2026-08-31', 6, '2027-02-28'],
  ['2026-01-01', 6, '2026-06-30'],
])('%s and %d months end on %s (rules/partners#partner-validity)', (first, months, last) =>
  expect(endOfMonths(first, months)).toBe(last),
)
