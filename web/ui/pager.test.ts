import { expect, test } from 'vitest'
import { pagerItems } from './pager.tsx'

test('shows the first, the current and the last page with gaps between them', () => {
  expect(pagerItems(1, 1)).toEqual([1])
  expect(pagerItems(2, 5)).toEqual([1, 2, 3, 4, 5])
  expect(pagerItems(1, 10)).toEqual([1, 2, 3, 'gap-end', 10])
  expect(pagerItems(4, 10)).toEqual([1, 'gap-start', 4, 'gap-end', 10])
  expect(pagerItems(10, 10)).toEqual([1, 'gap-start', 8, 9, 10])
})
