import { expect, test } from 'vitest'
import { FUNCTIONS } from './permissions.ts'
import { menuFor, pages, type Page } from './pages.ts'

const inMenu = Object.entries<Page>(pages).filter(([, { menu }]) => menu !== undefined)
const pathsOf = (menu: ReturnType<typeof menuFor>) =>
  menu.flatMap(({ items }) => items.map(({ path }) => path))

test('shows every page of the menu to a user with every permission', () => {
  expect(pathsOf(menuFor(FUNCTIONS))).toEqual(inMenu.map(([path]) => path))
})

test.each(FUNCTIONS)('hides only the pages that need %s without it', (lacking) => {
  const menu = pathsOf(menuFor(FUNCTIONS.filter((name) => name !== lacking)))
  const isLeft = ([, { permission, orPermission }]: [string, Page]) =>
    permission !== lacking || orPermission !== undefined
  expect(menu).toEqual(inMenu.filter(isLeft).map(([path]) => path))
})

test('shows the import in the menu to users who may register or change users', () => {
  for (const name of ['autho_user_insert', 'autho_user_manage'] as const) {
    expect(pathsOf(menuFor([name]))).toContain('/user/import')
  }
  expect(pathsOf(menuFor([]))).not.toContain('/user/import')
})

test('names the permission first on a page that checks its permission', () => {
  for (const [path, { asksFirst, permission }] of Object.entries<Page>(pages)) {
    if (asksFirst) expect(permission, path).toBeDefined()
  }
})

test('asks before these pages show anything (rules/frame#function-pages, rules/partners#partner-pages)', () => {
  const asking = Object.fromEntries(
    Object.entries<Page>(pages).flatMap(([path, { asksFirst, permission }]) =>
      asksFirst ? [[path, permission]] : [],
    ),
  )
  expect(asking).toMatchObject({
    '/user/insert': 'autho_user_insert',
    '/user/validity': 'autho_user_manage',
    '/role/manage': 'autho_role_manage',
    '/key/services': 'autho_service_manage',
    '/key/programs': 'autho_service_manage',
    '/key/secrets': 'autho_service_manage',
    '/partner/search': 'autho_partner_search',
    '/partner/insert': 'autho_partner_search',
    '/partner/import': 'autho_partner_search',
    '/partner/detail': 'autho_partner_search',
  })
})
