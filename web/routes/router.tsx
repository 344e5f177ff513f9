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

const login = lazyRouteComponent(() => import('../screens/account/login.tsx'), 'Login')
const listWords = ['page', 'sort', 'order'] as const
const keyWords = ['from', 'to', 'province', 'district', 'affiliation', 'requester', ...listWords] as const
const noticeWords = ['searchType', 'searchText', 'page'] as const

const routes = [
  slim.addChildren([
    inSlim('/', { before: toMainWithSession, screen: login }),
    inSlim('/login', { before: toMainWithSession, screen: login }),
    inSlim('/logout', { before: leave }),
    inSlim('/password', {
      screen: lazyRouteComponent(() => import('../screens/account/password.tsx'), 'ChangePassword'),
    }),
    inSlim('/find/id', {
      screen: lazyRouteComponent(() => import('../screens/account/find-id.tsx'), 'FindId'),
    }),
    inSlim('/reset/pw', {
      screen: lazyRouteComponent(() => import('../screens/account/reset-password.tsx'), 'ResetPassword'),
    }),
    inSlim('/signup', {
      screen: lazyRouteComponent(() => import('../screens/account/sign-up.tsx'), 'SignUp'),
    }),
  ]),
  framed.addChildren([
    inFrame('/main', {
      load: async () => (await import('../screens/home/reads.ts')).loadHome(),
      screen: lazyRouteComponent(() => import('../screens/home/home.tsx'), 'Home'),
    }),
    inFrame('/mypage', {
      screen: lazyRouteComponent(() => import('../screens/users/my-page.tsx'), 'MyPage'),
    }),
    inFrame('/notice/search', {
      search: noticeWords,
      load: async (search) => (await import('../screens/notices/reads.ts')).loadNoticeSearch(search),
      screen: lazyRouteComponent(() => import('../screens/notices/notice-search.tsx'), 'NoticeSearch'),
    }),
    inFrame('/notice/detail', {
      search: ['noticeId', 'writer', 'user_id', ...noticeWords],
      load: async (search) => (await import('../screens/notices/reads.ts')).loadNoticeDetail(search),
      screen: lazyRouteComponent(() => import('../screens/notices/notice-detail.tsx'), 'NoticeDetail'),
    }),
    inFrame('/notice/insert', {
      search: ['noticeId', 'writer', ...noticeWords],
      title: ({ noticeId }) => (noticeId === undefined ? 'noticeInsert' : 'noticeEdit'),
      screen: lazyRouteComponent(() => import('../screens/notices/notice-insert.tsx'), 'NoticeInsert'),
    }),
    inFrame('/user/search', {
      search: [
        'affiliation',
        'name',
        'phone',
        'approval',
        'role',
        'partner',
        'validity',
        'login',
        'since',
        'days',
        ...listWords,
      ],
      before: restoreUserSearch,
      load: async (search) => (await import('../screens/users/reads.ts')).loadUserSearch(search),
      screen: lazyRouteComponent(() => import('../screens/users/user-search.tsx'), 'UserSearchScreen'),
    }),
    inFrame('/user/detail', {
      load: async (_, { userId }) => (await import('../screens/users/reads.ts')).loadUserDetail(userId),
      screen: lazyRouteComponent(() => import('../screens/users/user-detail.tsx'), 'UserDetail'),
    }),
    inFrame('/user/approval', {
      search: listWords,
      load: async (search) => (await import('../screens/approvals/reads.ts')).loadApprovals(search),
      screen: lazyRouteComponent(() => import('../screens/approvals/approvals.tsx'), 'Approvals'),
    }),
    inFrame('/user/insert', {
      screen: lazyRouteComponent(() => import('../screens/users/user-insert.tsx'), 'UserInsert'),
    }),
    inFrame('/user/import', {
      screen: lazyRouteComponent(() => import('../screens/users/user-import.tsx'), 'UserImport'),
    }),
    inFrame('/user/validity', {
      load: async () => (await import('../screens/users/reads.ts')).loadValidity(),
      screen: lazyRouteComponent(() => import('../screens/users/validity.tsx'), 'Validity'),
    }),
    inFrame('/role/manage', {
      load: async () => (await import('../screens/roles/reads.ts')).loadRoles(),
      screen: lazyRouteComponent(() => import('../screens/roles/roles.tsx'), 'Roles'),
    }),
    inFrame('/key/search', {
      search: keyWords,
      load: async (search) => (await import('../screens/keys/reads.ts')).loadKeySearch(search),
      screen: lazyRouteComponent(() => import('../screens/keys/key-search.tsx'), 'KeySearch'),
    }),
    inFrame('/key/statistics', {
      search: keyWords,
      load: async (search) => (await import('../screens/keys/reads.ts')).loadKeyStatistics(search),
      screen: lazyRouteComponent(() => import('../screens/keys/key-statistics.tsx'), 'KeyStatistics'),
    }),
    inFrame('/key/services', {
      load: async () => (await import('../screens/keys/reads.ts')).loadServices(),
      screen: lazyRouteComponent(() => import('../screens/keys/key-services.tsx'), 'KeyServices'),
    }),
    inFrame('/partner/search', {
      search: ['code', 'affiliation', 'from', 'to', ...listWords],
      load: async (search) => (await import('../screens/partners/reads.ts')).loadPartnerSearch(search),
      screen: lazyRouteComponent(() => import('../screens/partners/partner-search.tsx'), 'PartnerSearch'),
    }),
    inFrame('/partner/insert', {
      screen: lazyRouteComponent(() => import('../screens/partners/partner-insert.tsx'), 'PartnerInsert'),
    }),
    inFrame('/partner/detail', {
      search: ['partnerCode'],
      load: async (search) => (await import('../screens/partners/reads.ts')).loadPartnerDetail(search),
      screen: lazyRouteComponent(() => import('../screens/partners/partner-detail.tsx'), 'PartnerDetail'),
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
