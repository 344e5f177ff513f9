import { expect, test } from 'vitest'
import { readDate } from './dates.ts'

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
