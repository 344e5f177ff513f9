import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Messages } from '../contract/messages/ko.ts'
import { listWords, parseSearch, stringifySearch, words } from './address.ts'
import { guard, leave, requireSession, restoreUserSearch, toMainWithSession } from './guards.ts'
import { loadPortalMessages } from './language.tsx'
import { Root } from './frame/root.tsx'
import { SlimFrame } from './frame/shell.tsx'
import { Broken } from './screens/common/broken.tsx'
import { NotFound } from './screens/common/not-found.tsx'

/**
 * Every URL of the product (spec §2, route table): its frame, its guard, its screen, its title. A screen is
 * a file of its own that is loaded when it is opened.
 */

type Title = keyof Messages['frame']['titles']

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The page's title: a key of the catalogue, or what its address makes of it. */
    title?: Title | ((search: Record<string, unknown>) => Title)
  }
  interface HistoryState {
    /** The user that /user/detail opens (spec §2: navigation state). */
    userId?: string
    /** The partner search as it was when a row was opened. */
    partnerSearch?: Record<string, string>
    /** Where 'back' leads from there, when it is not where spec §2 says. */
    backTo?: '/user/approval'
  }
}

// The menu is no part of the login screen's first load.
const Frame = lazyRouteComponent(() => import('./frame/frame.tsx'), 'Frame')

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
// With the menu when somebody is signed in. The /notice pages carry no guard: their calls answer 401.
const framed = createRoute({
  getParentRoute: () => root,
  id: 'framed',
  beforeLoad: loadPortalMessages,
  component: Frame,
})
// The login guard: exactly the paths whose 'Login needed' is yes.
const guarded = createRoute({ getParentRoute: () => framed, id: 'guarded', beforeLoad: guard })

const account = {
  login: lazyRouteComponent(() => import('./screens/account/login.tsx'), 'Login'),
  password: lazyRouteComponent(() => import('./screens/account/password.tsx'), 'ChangePassword'),
  findId: lazyRouteComponent(() => import('./screens/account/find-id.tsx'), 'FindId'),
  resetPassword: lazyRouteComponent(() => import('./screens/account/reset-password.tsx'), 'ResetPassword'),
  signUp: lazyRouteComponent(() => import('./screens/account/sign-up.tsx'), 'SignUp'),
}
const users = {
  search: lazyRouteComponent(() => import('./screens/users/user-search.tsx'), 'UserSearchScreen'),
  import: lazyRouteComponent(() => import('./screens/users/user-import.tsx'), 'UserImport'),
  detail: lazyRouteComponent(() => import('./screens/users/user-detail.tsx'), 'UserDetail'),
  validity: lazyRouteComponent(() => import('./screens/users/validity.tsx'), 'Validity'),
  insert: lazyRouteComponent(() => import('./screens/users/user-insert.tsx'), 'UserInsert'),
  myPage: lazyRouteComponent(() => import('./screens/users/my-page.tsx'), 'MyPage'),
}
const partners = {
  search: lazyRouteComponent(() => import('./screens/partners/partner-search.tsx'), 'PartnerSearch'),
  insert: lazyRouteComponent(() => import('./screens/partners/partner-insert.tsx'), 'PartnerInsert'),
  detail: lazyRouteComponent(() => import('./screens/partners/partner-detail.tsx'), 'PartnerDetail'),
}
const roles = lazyRouteComponent(() => import('./screens/roles/roles.tsx'), 'Roles')
const approvals = lazyRouteComponent(() => import('./screens/approvals/approvals.tsx'), 'Approvals')
const notices = {
  search: lazyRouteComponent(() => import('./screens/notices/notice-search.tsx'), 'NoticeSearch'),
  detail: lazyRouteComponent(() => import('./screens/notices/notice-detail.tsx'), 'NoticeDetail'),
  insert: lazyRouteComponent(() => import('./screens/notices/notice-insert.tsx'), 'NoticeInsert'),
}
const keys = {
  search: lazyRouteComponent(() => import('./screens/keys/key-search.tsx'), 'KeySearch'),
  statistics: lazyRouteComponent(() => import('./screens/keys/key-statistics.tsx'), 'KeyStatistics'),
  services: lazyRouteComponent(() => import('./screens/keys/key-services.tsx'), 'KeyServices'),
}
const home = lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home')

const routes = [
  slim.addChildren([
    // Both readings of spec §2: the login screen without a session, /main with one.
    createRoute({
      getParentRoute: () => slim,
      path: '/',
      staticData: { title: 'login' },
      beforeLoad: toMainWithSession,
      component: account.login,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/login',
      staticData: { title: 'login' },
      beforeLoad: toMainWithSession,
      component: account.login,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/logout',
      staticData: { title: 'logout' },
      beforeLoad: leave,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/password',
      staticData: { title: 'password' },
      beforeLoad: requireSession,
      component: account.password,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/find/id',
      staticData: { title: 'findId' },
      component: account.findId,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/reset/pw',
      staticData: { title: 'resetPassword' },
      component: account.resetPassword,
    }),
    createRoute({
      getParentRoute: () => slim,
      path: '/signup',
      staticData: { title: 'signUp' },
      component: account.signUp,
    }),
  ]),
  framed.addChildren([
    createRoute({
      getParentRoute: () => framed,
      path: '/notice/search',
      staticData: { title: 'noticeSearch' },
      validateSearch: words('page', 'searchType', 'searchText'),
      component: notices.search,
    }),
    createRoute({
      getParentRoute: () => framed,
      path: '/notice/detail',
      staticData: { title: 'noticeDetail' },
      validateSearch: words('noticeId', 'writer', 'user_id', 'searchType', 'searchText', 'page'),
      component: notices.detail,
    }),
    createRoute({
      getParentRoute: () => framed,
      path: '/notice/insert',
      validateSearch: words('noticeId', 'writer', 'searchType', 'searchText', 'page'),
      staticData: { title: ({ noticeId }) => (noticeId === undefined ? 'noticeInsert' : 'noticeEdit') },
      component: notices.insert,
    }),
    guarded.addChildren([
      createRoute({
        getParentRoute: () => guarded,
        path: '/main',
        staticData: { title: 'main' },
        loader: async () => (await import('./screens/home/load-home.ts')).loadHome(),
        component: home,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/search',
        staticData: { title: 'userSearch' },
        validateSearch: listWords(
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
        ),
        beforeLoad: restoreUserSearch,
        component: users.search,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/detail',
        staticData: { title: 'userDetail' },
        component: users.detail,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/mypage',
        staticData: { title: 'myPage' },
        component: users.myPage,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/validity',
        staticData: { title: 'userValidity' },
        component: users.validity,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/role/manage',
        staticData: { title: 'roleManage' },
        component: roles,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/insert',
        staticData: { title: 'userInsert' },
        component: users.insert,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/approval',
        staticData: { title: 'approvals' },
        validateSearch: listWords(),
        component: approvals,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/user/import',
        staticData: { title: 'userImport' },
        component: users.import,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/key/search',
        staticData: { title: 'keySearch' },
        validateSearch: listWords('from', 'to', 'province', 'district', 'affiliation', 'requester'),
        component: keys.search,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/key/statistics',
        staticData: { title: 'keyStatistics' },
        validateSearch: listWords('from', 'to', 'province', 'district', 'affiliation', 'requester'),
        component: keys.statistics,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/key/services',
        staticData: { title: 'keyServices' },
        component: keys.services,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/partner/insert',
        staticData: { title: 'partnerInsert' },
        component: partners.insert,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/partner/detail',
        staticData: { title: 'partnerDetail' },
        validateSearch: words('partnerCode'),
        component: partners.detail,
      }),
      createRoute({
        getParentRoute: () => guarded,
        path: '/partner/search',
        staticData: { title: 'partnerSearch' },
        validateSearch: listWords('code', 'affiliation', 'from', 'to'),
        component: partners.search,
      }),
    ]),
  ]),
] as const

/** The router; its type makes every link and every navigation in the product checked. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  // A page is one screen: nothing is fetched before it is opened.
  defaultPreload: false,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: Broken,
})
