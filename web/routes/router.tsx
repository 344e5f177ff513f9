import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { framedPages, slimPages, type Page } from '../../contract/pages.ts'
import { Root } from '../layout/root.tsx'
import { SlimFrame } from '../layout/shell.tsx'
import { loadPortalMessages } from '../language.tsx'
import { ErrorScreen } from '../screens/common/error-screen.tsx'
import { NotFound } from '../screens/common/not-found.tsx'
import { parseSearch, stringifySearch } from './search-params.ts'
import type { ReturnTo } from './return-to.ts'
import { pagesIn } from './page.tsx'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The page title: a key of the messages, or a function of the query parameters. */
    title?: Page['title'] | ((search: Partial<Record<string, string>>) => Page['title'])
  }
  interface HistoryState {
    /** The logout that the user chose in the portal itself (rules/account#logout). */
    isLoggingOut?: 'here' | 'everywhere'
    /** The user that /user/detail opens (rules/users#user-search). */
    userId?: string
    /** The login ID that /find/id found and the login shows (rules/account#find-id). */
    foundId?: string
    /** The ID typed on another page before login (rules/account#typed-id). */
    typedId?: string
    /** The partner search as it was when a row was opened. */
    partnerSearch?: Record<string, string>
    /** The access log as it was left. */
    accessSearch?: Record<string, string>
    /** The target of “back”, if it is not the usual one (rules/users#back). */
    backTo?: '/user/approval'
    /** The page that the login returns to. */
    next?: ReturnTo
  }
}

/** The layout with the menu. It loads with the texts of its pages, which the login page does not need. */
const Frame = lazyRouteComponent(async () => {
  const [frame] = await Promise.all([import('../layout/app-layout.tsx'), loadPortalMessages()])
  return frame
}, 'Frame')

/** The root of all pages. Shows an unknown path inside the layout, and a defect on the error screen. */
const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <Suspense>
      <Frame>
        <NotFound />
      </Frame>
    </Suspense>
  ),
  errorComponent: ErrorScreen,
})

/** The layout without a menu, for screens before a session. */
const slim = createRoute({ getParentRoute: () => root, id: 'slim', component: SlimFrame })
/** The layout with the menu, which a guest sees without it. */
const framed = createRoute({ getParentRoute: () => root, id: 'framed', component: Frame })

/** The routes of all pages in both layouts. */
const routes = [
  slim.addChildren(pagesIn(slim, slimPages)),
  framed.addChildren(pagesIn(framed, framedPages)),
] as const

/** The router. Its type lets the compiler check every link and every navigation. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  // A page is a single screen, so nothing is loaded before the user opens it.
  defaultPreload: false,
  // Every visit loads again. Results are in the cache of the query client.
  defaultGcTime: 0,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ErrorScreen,
})
