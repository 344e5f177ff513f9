import { describe, expect, test } from 'vitest'
import { everyDay } from './days.ts'

const ANY = { from: '', to: '' }
const found = [
  { date: '2028-02-27', count: 3 },
  { date: '2028-03-01', count: 1 },
]

describe('the days of the chart', () => {
  test('those without a key are there too, the leap day among them', () => {
    expect(everyDay(found, ANY)).toEqual([
      { date: '2028-02-27', count: 3 },
      { date: '2028-02-28', count: 0 },
      { date: '2028-02-29', count: 0 },
      { date: '2028-03-01', count: 1 },
    ])
  })

  test('the axis is as long as what was searched for', () => {
    const days = everyDay(found, { from: '2028-02-01', to: '2028-03-31' })
    expect(days.length).toBe(60)
    expect([days[0]?.date, days.at(-1)?.date]).toEqual(['2028-02-01', '2028-03-31'])
    expect(everyDay(found, { from: '2028-02-26', to: '' })[0]).toEqual({ date: '2028-02-26', count: 0 })
    expect(everyDay(found, { from: '', to: '2028-03-02' }).at(-1)).toEqual({ date: '2028-03-02', count: 0 })
  })

  test('dates that are far off do not press the bars together', () => {
    expect(everyDay(found, { from: '1900-01-01', to: '2099-12-31' })).toEqual(everyDay(found, ANY))
  })

  test('no key, no day', () => {
    expect(everyDay([], { from: '2028-02-01', to: '2028-02-29' })).toEqual([])
  })
})
