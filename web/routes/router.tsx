import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Page } from '../../contract/pages.ts'
import { Root } from '../frame/root.tsx'
import { SlimFrame } from '../frame/shell.tsx'
import { loadPortalMessages } from '../language.tsx'
import { Broken } from '../screens/common/broken.tsx'
import { NotFound } from '../screens/common/not-found.tsx'
import { parseSearch, stringifySearch } from './address.ts'
import { leave, restoreUserSearch, toMainWithSession } from './guards.ts'
import { pagesIn } from './page.tsx'

/** What the browser alone knows of every page in `contract/pages.ts`: words of its address, what it loads, its screen. */

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The page's title: a key of the catalogue, or what its address makes of it. */
    title?: Page['title'] | ((search: Partial<Record<string, string>>) => Page['title'])
  }
  interface HistoryState {
    /** The user that /user/detail opens (rules/users#user-search). */
    userId?: string
    /** The partner search as it was when a row was opened. */
    partnerSearch?: Record<string, string>
    /** Where 'back' leads from there, when it is not the usual place (rules/users#back). */
    backTo?: '/user/approval'
  }
}

// The menu is no part of the login screen's first load.
const Frame = lazyRouteComponent(() => import('../frame/frame.tsx'), 'Frame')

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <Suspense>
      <Frame>
        <NotFound />
      </Frame>
    </Suspense>
  ),
  errorComponent: Broken,
})

// Without a menu, for the screens before a session.
const slim = createRoute({ getParentRoute: () => root, id: 'slim', component: SlimFrame })
// With the menu when somebody is signed in.
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  loader: loadPortalMessages,
  component: Frame,
})
const inSlim = pagesIn(slim)
const inFrame = pagesIn(framed)

const login = {
  before: toMainWithSession,
  from: () => import('../screens/account/login.tsx'),
} as const
const listWords = ['page', 'sort', 'order'] as const
const keyWords = [
  'issuedFrom',
  'issuedTo',
  'provinceName',
  'districtName',
  'affiliationCode',
  'requesterName',
  ...listWords,
] as const
const noticeWords = ['searchType', 'searchText', 'page'] as const

const routes = [
  slim.addChildren([
    inSlim('/', login),
    inSlim('/login', login),
    inSlim('/logout', { before: leave }),
    inSlim('/password', { from: () => import('../screens/account/password.tsx') }),
    inSlim('/find/id', { from: () => import('../screens/account/find-id.tsx') }),
    inSlim('/reset/pw', { from: () => import('../screens/account/reset-password.tsx') }),
    inSlim('/signup', { from: () => import('../screens/account/sign-up.tsx') }),
  ]),
  framed.addChildren([
    inFrame('/main', { from: () => import('../screens/home/home.tsx') }),
    inFrame('/mypage', { from: () => import('../screens/users/my-page.tsx') }),
    inFrame('/notice/search', {
      search: noticeWords,
      from: () => import('../screens/notices/notice-search.tsx'),
    }),
    inFrame('/notice/detail', {
      search: ['noticeId', 'writer', 'user_id', ...noticeWords],
      from: () => import('../screens/notices/notice-detail.tsx'),
    }),
    inFrame('/notice/insert', {
      search: ['noticeId', 'writer', ...noticeWords],
      title: ({ noticeId }) => (noticeId === undefined ? 'noticeInsert' : 'noticeEdit'),
      from: () => import('../screens/notices/notice-insert.tsx'),
    }),
    inFrame('/user/search', {
      search: [
        'affiliationCode',
        'name',
        'phoneNumber',
        'approvalCode',
        'roleCode',
        'partnerCode',
        'validity',
        'lastLogin',
        'lastLoginSince',
        'lastLoginDays',
        ...listWords,
      ],
      before: restoreUserSearch,
      from: () => import('../screens/users/user-search.tsx'),
    }),
    inFrame('/user/detail', { from: () => import('../screens/users/user-detail.tsx') }),
    inFrame('/user/approval', {
      search: listWords,
      from: () => import('../screens/approvals/approvals.tsx'),
    }),
    inFrame('/user/insert', { from: () => import('../screens/users/user-insert.tsx') }),
    inFrame('/user/import', { from: () => import('../screens/users/user-import.tsx') }),
    inFrame('/user/validity', { from: () => import('../screens/users/validity.tsx') }),
    inFrame('/role/manage', { from: () => import('../screens/roles/roles.tsx') }),
    inFrame('/key/search', {
      search: keyWords,
      from: () => import('../screens/keys/key-search.tsx'),
    }),
    inFrame('/key/statistics', {
      search: keyWords,
      from: () => import('../screens/keys/key-statistics.tsx'),
    }),
    inFrame('/key/services', { from: () => import('../screens/keys/key-services.tsx') }),
    inFrame('/partner/search', {
      search: ['partnerCode', 'affiliationCode', 'validFrom', 'validTo', ...listWords],
      from: () => import('../screens/partners/partner-search.tsx'),
    }),
    inFrame('/partner/insert', { from: () => import('../screens/partners/partner-insert.tsx') }),
    inFrame('/partner/detail', {
      search: ['partnerCode'],
      from: () => import('../screens/partners/partner-detail.tsx'),
    }),
  ]),
] as const

/** The router; its type makes every link and every navigation in the product checked. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  // A page is one screen: nothing is fetched before it is opened.
  defaultPreload: false,
  // Every visit reads anew; what was read is in the query client's cache.
  defaultGcTime: 0,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
})
