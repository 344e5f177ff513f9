import { describe, expect, test } from 'vitest'
import { everyDay } from './days.ts'

const ANY = { from: '', to: '' }
const found = [
  { date: '2028-02-27', count: 3 },
  { date: '2028-03-01', count: 1 },
]

describe('the days of the chart', () => {
  test('include those without a key, leap days too', () => {
    expect(everyDay(found, ANY)).toEqual([
      { date: '2028-02-27', count: 3 },
      { date: '2028-02-28', count: 0 },
      { date: '2028-02-29', count: 0 },
      { date: '2028-03-01', count: 1 },
    ])
  })

  test('span the dates that were searched for', () => {
    const days = everyDay(found, { from: '2028-02-01', to: '2028-03-31' })
    expect(days.length).toBe(60)
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2028-02-01', '2028-03-31'])
    expect(everyDay(found, { from: '2028-02-26', to: '' })[0]).toEqual({ date: '2028-02-26', count: 0 })
    expect(everyDay(found, { from: '', to: '2028-03-02' }).at(-1)).toEqual({ date: '2028-03-02', count: 0 })
  })

  test('ignore dates far from any key, so that bars stay readable', () => {
    expect(everyDay(found, { from: '1900-01-01', to: '2099-12-31' })).toEqual(everyDay(found, ANY))
  })

  test('are none when there are no keys', () => {
    expect(everyDay([], { from: '2028-02-01', to: '2028-02-29' })).toEqual([])
  })
})
