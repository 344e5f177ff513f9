import { describe, expect, test } from 'vitest'
import { inputOf, searchOf, wordsOf } from './search-address.ts'

const asked = (type: '통합검색' | '제목' | '작성자') => inputOf({ page: 2, type, text: '점검' })

describe('the search in the address (rules/notices#notice-search)', () => {
  test('defaults to page 1, 통합검색 and no text when values are missing or invalid', () => {
    const defaults = { page: 1, type: '통합검색', text: '' }
    expect(searchOf({})).toEqual(defaults)
    for (const page of ['0', '-1', '1.5', 'x', '', '01', '99999999999']) {
      expect(searchOf({ page, searchType: 'Title' })).toEqual(defaults)
    }
  })

  test('is written as it was read', () => {
    const words = { page: '3', searchType: '작성자', searchText: '100% 김' }
    expect(wordsOf(searchOf(words))).toEqual(words)
  })

  test('asks for title or author with 통합검색, for just one with 제목 or 작성자', () => {
    expect(asked('통합검색')).toEqual({ searchType: '통합검색', title: '점검', author: '점검', page: 2 })
    expect(asked('제목')).toMatchObject({ title: '점검', author: '' })
    expect(asked('작성자')).toMatchObject({ title: '', author: '점검' })
  })
})
