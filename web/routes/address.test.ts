import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, words } from './address.ts'

test('words stay words: a number gets no quotes and becomes no number', () => {
  const search = { noticeId: '12', user_id: 'kim', searchText: '휴가 & 연차=50%' }
  expect(stringifySearch({ noticeId: '12', user_id: 'kim' })).toBe('?noticeId=12&user_id=kim')
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})

test('what is not given is left out', () => {
  expect(stringifySearch({ page: undefined })).toBe('')
})

test('a page reads its own words only', () => {
  expect(words('noticeId', 'page')({ noticeId: '12', other: 'x' })).toEqual({ noticeId: '12' })
})
