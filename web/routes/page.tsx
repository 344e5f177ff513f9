import {
  createRoute,
  lazyRouteComponent,
  type AnyRoute,
  type HistoryState,
  type ParsedLocation,
  type RouteComponent,
} from '@tanstack/react-router'
import type { Page, PagePath, WordOf } from '../../contract/pages.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { loadPortalMessages } from '../language.tsx'
import { hasCachedFunction } from '../session.ts'
import { words } from './search-params.ts'
import { requireLogin, logOut, restoreUserSearch, redirectIfLoggedIn } from './guards.ts'

/** Loads the code of the permission gate. */
const importGate = () => import('../layout/permission-gate.tsx')
/** The permission gate of pages with `asksFirst`. */
const Gate = lazyRouteComponent(importGate, 'FunctionGate')

/** Query parameters of a page. */
type Words = Partial<Record<string, string>>

/** The file of a screen, which is loaded when its page is opened. */
interface ScreenFile {
  default: RouteComponent
  /** Prefetches the first reads of the screen while its code loads. */
  load?: (search: Words, state: { userId?: string | undefined }) => Promise<void> | void
}

/** Loaders of all screens, by file path. */
const screens = import.meta.glob<ScreenFile>('../screens/**/*.page.tsx')

/** Route options that few pages need. */
interface Special {
  /** Runs before anything is loaded; may redirect. */
  before?: (search: Words, state: HistoryState) => Promise<void> | void
  /** Returns the title, if it depends on the query parameters. */
  title?: (search: Words) => Page['title']
}

/** Redirects and titles of the pages that have their own. */
const specials: { [P in PagePath]?: Special } = {
  '/': { before: redirectIfLoggedIn },
  '/login': { before: redirectIfLoggedIn },
  '/logout': { before: logOut },
  '/notice/insert': { title: ({ noticeId }) => (noticeId === undefined ? 'noticeInsert' : 'noticeEdit') },
  '/user/import': { title: ({ mode }) => (mode === 'update' ? 'userUpdate' : 'userImport') },
  '/user/search': { before: restoreUserSearch },
}

/**
 * Creates a route for each of these pages of contract/pages.ts inside a layout.
 * @param frame route of the layout
 * @returns the routes by path
 */
export function pagesIn<Frame extends AnyRoute, Pages extends Partial<Record<PagePath, Page>>>(
  frame: Frame,
  pages: Pages,
) {
  type Path = keyof Pages & PagePath
  type Routes = { [P in Path]: ReturnType<typeof routeOf<Frame, P, WordOf<Pages[P]>>> }
  return Object.fromEntries<unknown>(
    Object.entries<Page>(pages).map(([path, page]) => [path, routeOf(frame, path as Path, page)]),
  ) as Routes
}

/**
 * Creates the route of a page. Before it opens, `requireLogin` may redirect, and then the `before` of the page. It
 * loads texts, code and first reads of the screen concurrently; if `hasCachedFunction` lacks a permission that the gate
 * checks, the screen reads only after the check.
 */
function routeOf<Frame extends AnyRoute, P extends PagePath, W extends string>(
  frame: Frame,
  path: P,
  page: Page,
) {
  const { before, title = page.title } = specials[path] ?? {}
  const asked = page.asksFirst ? page.permission : undefined
  const file = screenOf(page)
  const Screen: RouteComponent = lazyRouteComponent(file)
  return createRoute({
    getParentRoute: () => frame,
    path,
    staticData: { title },
    validateSearch: words<W>(...((page.words ?? []) as W[])),
    loaderDeps: (address: { search: Partial<Record<W, string>> }) => address.search,
    beforeLoad: (address: { search: Words; location: ParsedLocation }) => {
      if (page.needsLogin) requireLogin(path, { ...address.location, search: address.search })
      return before?.(address.search, address.location.state)
    },
    loader: async ({ deps, location }) => {
      // Without a cached permission, load the data only after the check, so that no call is rejected.
      const isShown = asked === undefined || hasCachedFunction(asked)
      const parts = Promise.all([
        asked !== undefined && importGate().then(({ prefetchCheck }) => void prefetchCheck(asked)),
        isShown && file().then(({ load }) => load?.(deps, location.state)),
        // The screen shows a failed load itself.
      ]).catch(() => undefined)
      // The texts of the login are part of the first load.
      if (page.screen !== 'account/login') await loadPortalMessages()
      await parts
    },
    component: asked === undefined ? Screen : gated(asked, page.title, Screen),
  })
}

/** Returns the import of a page's screen. @throws {Error} if the file is missing */
function screenOf({ screen }: Page): () => Promise<ScreenFile> {
  const file = screens[`../screens/${screen}.page.tsx`]
  if (file === undefined) throw new Error(`There is no web/screens/${screen}.page.tsx`)
  return file
}

/**
 * Wraps the screen of a page with `asksFirst` in its permission gate. The code of both loads during the permission
 * check; without a cached permission, the data is read only after it.
 */
function gated(name: FunctionName, title: Page['title'], Screen: RouteComponent): RouteComponent {
  const GatedScreen = () => (
    <Gate name={name} title={title}>
      <Screen />
    </Gate>
  )
  const preload = async () => void (await Promise.all([Gate.preload?.(), Screen.preload?.()]))
  return Object.assign(GatedScreen, { preload })
}
