import { expect, test } from 'vitest'
import { parseSearch, stringifySearch, words } from './search-params.ts'

test('keeps search parameters as strings: numbers are neither quoted nor converted', () => {
  const search = { noticeId: '12', user_id: 'kim', searchText: '휴가 & 연차=50%' }
  expect(stringifySearch({ noticeId: '12', user_id: 'kim' })).toBe('?noticeId=12&user_id=kim')
  expect(parseSearch(stringifySearch(search))).toEqual(search)
})

test('leaves out undefined parameters', () => {
  expect(stringifySearch({ page: undefined })).toBe('')
})

test('reads only the parameters of the page', () => {
  expect(words('noticeId', 'page')({ noticeId: '12', other: 'x' })).toEqual({ noticeId: '12' })
})
