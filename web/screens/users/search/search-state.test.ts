import { describe, expect, it } from 'vitest'
import {
  ACCEPTS,
  fieldsText,
  filterInput,
  foldedCount,
  isDays,
  NO_FILTERS,
  savedState,
} from './search-state.ts'

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

  it('sends the own fields of one query parameter (rules/users#custom-field-filters)', () => {
    const fields = fieldsText({ custom1: 'a&b=c', custom3: '2026-01-01~', custom4: '' })
    expect(filterInput({ ...NO_FILTERS, fields }).customValues).toEqual({
      custom1: 'a&b=c',
      custom3: '2026-01-01~',
    })
    expect(filterInput(NO_FILTERS)).not.toHaveProperty('customValues')
    expect(ACCEPTS.fields(fields)).toBe(true)
    expect(ACCEPTS.fields('custom11=x')).toBe(false)
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
      customValues: { custom2: '정규직', custom3: '' },
      sort: 'name',
      order: 'DESC',
      perPage: 20,
    } as const
    expect(savedState(conditions)).toEqual({
      filters: {
        ...NO_FILTERS,
        lastLoginDays: '30',
        withdrawn: 'Y',
        fields: fieldsText({ custom2: '정규직' }),
      },
      sort: { by: 'name', order: 'desc' },
      perPage: 20,
    })
    expect(savedState({ ...conditions, sort: '' }).sort).toBeNull()
  })
})
