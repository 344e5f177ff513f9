import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, words } from './address.ts'

test('search parameters stay strings: numbers are neither quoted nor converted', () => {
  const search = { noticeId: '12', user_id: 'kim', searchText: '휴가 & 연차=50%' }
  expect(stringifySearch({ noticeId: '12', user_id: 'kim' })).toBe('?noticeId=12&user_id=kim')
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})

test('undefined parameters are left out', () => {
  expect(stringifySearch({ page: undefined })).toBe('')
})

test('a page reads only its own parameters', () => {
  expect(words('noticeId', 'page')({ noticeId: '12', other: 'x' })).toEqual({ noticeId: '12' })
})
