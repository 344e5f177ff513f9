import type { Messages } from './messages/ko.ts'
import type { FunctionName } from './permissions.ts'

/** The groups of the header's menu, in order. */
export type MenuGroup = keyof Messages['menu']['groups']

/** What server and browser both know of a page. */
export interface Page {
  /** Key of its title, which is also the text of its menu item. */
  title: keyof Messages['frame']['titles']
  /** Whether its address leads to /login without a session. */
  needsLogin: boolean
  /** The function without which its calls are refused. */
  permission?: FunctionName
  /** Whether the page asks for that function by a call of its own, and shows nothing before (rules/frame#function-pages). */
  asksFirst?: true
  /** Its place in the menu: the group, and within it the order of this list. */
  menu?: MenuGroup
}

const open = { needsLogin: false } as const
const needsLogin = { needsLogin: true } as const
const forFunction = <F extends FunctionName>(permission: F) => ({ ...needsLogin, permission }) as const
const asksFor = <F extends FunctionName>(permission: F) =>
  ({ ...forFunction(permission), asksFirst: true }) as const

/** Every page by its address, in the order of the menu. */
export const pages = {
  '/': { title: 'login', ...open },
  '/login': { title: 'login', ...open },
  '/logout': { title: 'logout', ...open },
  '/password': { title: 'password', ...needsLogin },
  '/find/id': { title: 'findId', ...open },
  '/reset/pw': { title: 'resetPassword', ...open },
  '/signup': { title: 'signUp', ...open },
  '/main': { title: 'main', ...needsLogin },
  '/mypage': { title: 'myPage', ...needsLogin },
  // Without a guard: their calls answer 401 (rules/frame#login-guard).
  '/notice/search': { title: 'noticeSearch', ...open, menu: 'notices' },
  '/notice/detail': { title: 'noticeDetail', ...open },
  '/notice/insert': { title: 'noticeInsert', ...open, menu: 'notices' },
  '/user/search': { title: 'userSearch', ...forFunction('autho_user_manage'), menu: 'users' },
  '/user/detail': { title: 'userDetail', ...forFunction('autho_user_manage') },
  '/user/approval': { title: 'approvals', ...forFunction('autho_user_manage'), menu: 'users' },
  '/user/insert': { title: 'userInsert', ...asksFor('autho_user_insert'), menu: 'users' },
  '/user/import': { title: 'userImport', ...forFunction('autho_user_insert'), menu: 'users' },
  '/user/validity': { title: 'userValidity', ...asksFor('autho_user_manage'), menu: 'users' },
  '/role/manage': { title: 'roleManage', ...asksFor('autho_role_manage'), menu: 'users' },
  '/key/search': { title: 'keySearch', ...forFunction('autho_key_search'), menu: 'keys' },
  '/key/statistics': { title: 'keyStatistics', ...forFunction('autho_key_search'), menu: 'keys' },
  '/key/services': { title: 'keyServices', ...asksFor('autho_service_manage'), menu: 'keys' },
  '/partner/search': { title: 'partnerSearch', ...asksFor('autho_partner_search'), menu: 'partners' },
  '/partner/insert': { title: 'partnerInsert', ...asksFor('autho_partner_search'), menu: 'partners' },
  '/partner/detail': { title: 'partnerDetail', ...asksFor('autho_partner_search') },
} as const satisfies Record<string, Page>

/** The address of a page. */
export type PagePath = keyof typeof pages

/** The groups of the menu that somebody with these functions may open, each with its pages. */
export function menuFor(
  functions: readonly FunctionName[],
): { group: MenuGroup; items: (Page & { path: string })[] }[] {
  const allowed = Object.entries<Page>(pages)
    .map(([path, page]) => ({ path, ...page }))
    .filter(({ permission }) => permission === undefined || functions.includes(permission))
  const groups = new Set(allowed.flatMap(({ menu }) => menu ?? []))
  return [...groups].map((group) => ({ group, items: allowed.filter(({ menu }) => menu === group) }))
}
