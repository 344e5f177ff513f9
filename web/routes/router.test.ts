import { expect, test } from 'vitest'
import { pages } from '../../contract/pages.ts'
import { router } from './router.tsx'

test('every page of the list has a route, and every route is a page of the list', () => {
  expect(Object.keys(router.routesByPath).toSorted()).toEqual(Object.keys(pages).toSorted())
})
