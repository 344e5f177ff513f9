import { describe, expect, it } from 'vitest'
import { limitForm } from './bulk.ts'
import { limitOf } from './limits.ts'

describe('limitOf (rules/partners#partner-limits)', () => {
  it.each([
    ['1,000', 1000],
    [' 20 ', 20],
    ['', null],
    ['12x', null],
    ['-1', null],
  ])('converts %j to %j', (text, limit) => {
    expect(limitOf(text)).toBe(limit)
  })
})

describe('limitForm (rules/partners#bulk-limits)', () => {
  const empty = { maxKeysPerDay: '', maxKeysPerWeek: '', maxKeysPerMonth: '', maxKeysTotal: '' }
  const check = (fields: object) => limitForm.safeParse({ limitChange: 'set', ...empty, ...fields })

  it('leaves empty limits unchanged and converts -1 to no limit', () => {
    const { data } = check({ maxKeysPerDay: '1,000', maxKeysPerMonth: ' -1 ' })
    expect(data).toMatchObject({ maxKeysPerDay: 1000, maxKeysPerWeek: undefined, maxKeysPerMonth: null })
  })

  it.each([
    [{}, 'noLimitGiven'],
    [{ maxKeysPerDay: '-2' }, 'limitChange'],
    [{ maxKeysPerDay: '1000000001' }, 'limitChange'],
    [{ limitChange: 'raise', maxKeysPerDay: '-1' }, 'partnerLimit'],
  ])('refuses %j', (fields, message) => {
    expect(check(fields).error?.issues).toMatchObject([{ path: ['maxKeysPerDay'], message }])
  })
})
