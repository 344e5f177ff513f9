import { describe, expect, it } from 'vitest'
import { isOneOf, listAddress } from './list-url.ts'

const list = {
  path: '/user/approval',
  filters: {},
  sorts: ['name'],
  perPage: 5,
} as const
const { read, write } = listAddress(list)
const fresh = { filters: {}, page: 1, sort: null, perPage: undefined }

describe('listAddress', () => {
  it('writes only what differs from a fresh list (rules/lists#list-address)', () => {
    expect(write(fresh)).toEqual({})
    expect(write({ ...fresh, page: 3, sort: { by: 'name', order: 'desc' }, perPage: 20 })).toEqual({
      page: '3',
      sort: 'name',
      order: 'desc',
      perPage: '20',
    })
  })

  it('writes the page and the filters that the list always writes', () => {
    const board = listAddress({
      path: '/colleague/search',
      filters: { keyword: '', affiliationCode: 'ALL' },
      always: ['keyword'],
    })
    expect(board.write({ ...fresh, filters: { keyword: '', affiliationCode: 'ALL' } })).toEqual({
      keyword: '',
      page: '1',
    })
  })

  it('reads what it has written', () => {
    const state = { ...fresh, page: 2, sort: { by: 'name', order: 'asc' as const }, perPage: 50 }
    expect(read(write(state))).toEqual(state)
  })

  it.each([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1e3'],
    ['page', '9999999999'],
    ['sort', 'password'],
    ['perPage', '7'],
  ])('ignores %s=%s, which the list does not have', (word, value) => {
    expect(read({ [word]: value })).toEqual(fresh)
  })

  it('reads a filter value that the list does not accept as the default (rules/lists#list-address)', () => {
    const { read: readUsers } = listAddress({
      path: '/colleague/search',
      filters: { keyword: '', affiliationCode: 'ALL' },
      accepts: { affiliationCode: isOneOf(['BEL001']) },
    })
    expect(readUsers({ keyword: 'kim', affiliationCode: 'BEL001' }).filters).toEqual({
      keyword: 'kim',
      affiliationCode: 'BEL001',
    })
    expect(readUsers({ affiliationCode: 'nonsense' }).filters).toEqual({
      keyword: '',
      affiliationCode: 'ALL',
    })
  })

  it('cleans filters that make no sense', () => {
    const cleaned = listAddress({
      path: '/colleague/search',
      filters: { keyword: '', affiliationCode: 'ALL' },
      clean: (filters) => ({ ...filters, keyword: filters.keyword.trim() }),
    })
    expect(cleaned.read({ keyword: ' kim ' }).filters).toEqual({ keyword: 'kim', affiliationCode: 'ALL' })
  })
})
