import { expect, test } from 'vitest'
import { FUNCTIONS } from './permissions.ts'
import { menuFor, pages, type Page } from './pages.ts'

const inMenu = Object.entries<Page>(pages).filter(([, { menu }]) => menu !== undefined)
const pathsOf = (menu: ReturnType<typeof menuFor>) =>
  menu.flatMap(({ items }) => items.map(({ path }) => path))

test('somebody with every function gets every page that has a place in the menu', () => {
  expect(pathsOf(menuFor(FUNCTIONS))).toEqual(inMenu.map(([path]) => path))
})

test.each(FUNCTIONS)('without %s the menu lacks only the pages that need it', (lacking) => {
  const menu = pathsOf(menuFor(FUNCTIONS.filter((name) => name !== lacking)))
  const isLeft = ([, { permission, orPermission }]: [string, Page]) =>
    permission !== lacking || orPermission !== undefined
  expect(menu).toEqual(inMenu.filter(isLeft).map(([path]) => path))
})

test('a file of users is in the menu of who may register them or change them', () => {
  for (const name of ['autho_user_insert', 'autho_user_manage'] as const) {
    expect(pathsOf(menuFor([name]))).toContain('/user/import')
  }
  expect(pathsOf(menuFor([]))).not.toContain('/user/import')
})

test('a page that checks its function first names that function', () => {
  for (const [path, { asksFirst, permission }] of Object.entries<Page>(pages)) {
    if (asksFirst) expect(permission, path).toBeDefined()
  }
})
