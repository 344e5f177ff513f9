import { expect, test } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { router } from './router.tsx'

test('routes and listed pages are the same', () => {
  expect(Object.keys(router.routesByPath).toSorted()).toEqual(Object.keys(pages).toSorted())
})
