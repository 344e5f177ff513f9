import { describe, expect, test } from 'vitest'
import { board, inputOf } from './board.ts'

const asked = (searchType: '통합검색' | '제목' | '작성자' | '내용') =>
  inputOf({ searchType, searchText: '점검', show: 'ALL' })

describe('the search in the address (rules/notices#notice-search)', () => {
  test('defaults to page 1, 통합검색 and no text when values are missing or invalid', () => {
    const defaults = { page: 1, filters: { searchType: '통합검색', searchText: '', show: 'ALL' }, sort: null }
    expect(board.read({})).toEqual(defaults)
    for (const page of ['0', '-1', '1.5', 'x', '', '01', '99999999999']) {
      expect(board.read({ page, searchType: 'Title', show: 'unread' })).toEqual(defaults)
    }
  })

  test('is written as it was read', () => {
    const words = { page: '3', searchType: '작성자', searchText: '100% 김' }
    expect(board.write(board.read(words))).toEqual(words)
  })

  test('holds the filter only if it is not the default (rules/notices#notice-filter)', () => {
    const words = { page: '1', searchType: '통합검색', searchText: '', show: 'TO_CONFIRM' }
    expect(board.write(board.read(words))).toEqual(words)
    expect(board.write(board.read({ ...words, show: 'ALL' }))).not.toHaveProperty('show')
    expect(inputOf({ searchType: '통합검색', searchText: '', show: 'FILE' })).toMatchObject({ show: 'FILE' })
    expect(asked('제목')).not.toHaveProperty('show')
  })

  test('asks for title or author with 통합검색, for just one with 제목, 작성자 or 내용', () => {
    expect(asked('통합검색')).toEqual({ searchType: '통합검색', title: '점검', author: '점검' })
    expect(asked('제목')).toMatchObject({ title: '점검', author: '' })
    expect(asked('작성자')).toMatchObject({ title: '', author: '점검' })
    expect(asked('내용')).toEqual({ searchType: '내용', title: '', author: '', memo: '점검' })
  })
})
