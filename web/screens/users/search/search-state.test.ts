import { describe, expect, it } from 'vitest'
import { filterInput, foldedCount, isDays, NO_FILTERS, savedState } from './search-state.ts'

describe('filterInput', () => {
  it('treats an unknown value of an address as no filter (rules/lists#list-address)', () => {
    expect(filterInput({ ...NO_FILTERS, validity: 'NEVER', lastLogin: 'EVER' })).toMatchObject({
      validity: 'ALL',
      lastLogin: 'ALL',
    })
  })

  it('searches phone numbers by their digits', () => {
    expect(filterInput({ ...NO_FILTERS, phoneNumber: '010-1234 5678' }).phoneNumber).toBe('01012345678')
  })

  it('sends only the field of the chosen kind of last login', () => {
    const filters = { ...NO_FILTERS, lastLoginSince: '2026-01-01', lastLoginDays: '30' }
    expect(filterInput({ ...filters, lastLogin: 'SINCE' })).toMatchObject({ lastLoginSince: '2026-01-01' })
    expect(filterInput({ ...filters, lastLogin: 'SINCE' })).not.toHaveProperty('lastLoginDays')
    expect(filterInput({ ...filters, lastLogin: 'BEFORE' })).toMatchObject({ lastLoginDays: 30 })
    expect(filterInput({ ...filters, lastLogin: 'BEFORE' })).not.toHaveProperty('lastLoginSince')
    expect(filterInput(filters)).not.toHaveProperty('lastLoginDays')
  })
})

describe('isDays', () => {
  it.each(['', '0', '3651', '1.5', '-1', '1e2', ' 5'])('rejects “%s”', (text) => {
    expect(isDays(text)).toBe(false)
  })

  it.each(['1', '90', '3650'])('accepts %s', (text) => {
    expect(isDays(text)).toBe(true)
  })
})

describe('foldedCount', () => {
  it('counts the filters that fold away and differ from a fresh search', () => {
    expect(foldedCount(NO_FILTERS)).toBe(0)
    expect(foldedCount({ ...NO_FILTERS, name: 'kim', withdrawn: 'Y', roleCode: 'HR' })).toBe(2)
  })
})

describe('savedState', () => {
  it('shows a saved search as the list shows it (rules/users#saved-searches)', () => {
    const conditions = {
      ...NO_FILTERS,
      affiliationCode: '',
      validity: '',
      lastLogin: '',
      lastLoginDays: 30,
      withdrawn: true,
      sort: 'name',
      order: 'DESC',
      perPage: 20,
    } as const
    expect(savedState(conditions)).toEqual({
      filters: { ...NO_FILTERS, lastLoginDays: '30', withdrawn: 'Y' },
      sort: { by: 'name', order: 'desc' },
      perPage: 20,
    })
    expect(savedState({ ...conditions, sort: '' }).sort).toBeNull()
  })
})
