import { createRoute, lazyRouteComponent, type AnyRoute, type RouteComponent } from '@tanstack/react-router'
import { pages, type Page, type PagePath } from '../../contract/pages.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { isKnownToHold } from '../session.ts'
import { words } from './address.ts'
import { guard } from './guards.ts'

const importGate = () => import('../frame/function-gate.tsx')
const Gate = lazyRouteComponent(importGate, 'FunctionGate')

type Words<W extends string> = Partial<Record<W, string>>

/** Asks for what a screen reads first, while it is on its way. */
type Load<W extends string> = (
  search: Words<W>,
  state: { userId?: string | undefined },
) => Promise<void> | void

/** What the browser alone knows of a page; the rest stands in `contract/pages.ts`. */
interface Descriptor<W extends string> {
  /** Words of its address; whatever else stands there is dropped. */
  search?: readonly W[]
  /** Its title, where the address decides it. */
  title?: (search: Words<string>) => Page['title']
  /** Where the address leads before anything is loaded. */
  before?: (search: Words<W>) => Promise<void> | void
  /** The file of its screen, which is loaded when the page is opened, with what it reads first as `load`. */
  from?: () => Promise<{ default: RouteComponent; load?: Load<W> }>
}

/** Makes the routes of the pages inside a frame. */
export function pagesIn<Frame extends AnyRoute>(frame: Frame) {
  return <P extends PagePath, W extends string = never>(
    path: P,
    { search = [], before, from, ...own }: Descriptor<W>,
  ) => {
    const page: Page = pages[path]
    const asked = page.asksFirst ? page.permission : undefined
    const Screen: RouteComponent | undefined = from && lazyRouteComponent(from)
    return createRoute({
      getParentRoute: () => frame,
      path,
      staticData: { title: page.title, ...own },
      validateSearch: words<W>(...search),
      loaderDeps: (address: { search: Words<W> }) => address.search,
      beforeLoad: (address: { search: Words<W> }) => {
        if (page.needsLogin) guard(path)
        return before?.(address.search)
      },
      loader: async ({ deps, location }) => {
        // Of somebody who may have lost the function the data wait for the answer: no call behind it is refused.
        const isShown = asked === undefined || isKnownToHold(asked)
        await Promise.all([
          asked !== undefined && importGate().then(({ prefetchCheck }) => void prefetchCheck(asked)),
          isShown && from?.().then(({ load }) => load?.(deps, location.state)),
          // A part of the page that could not be loaded is said by the screen itself.
        ]).catch(() => undefined)
      },
      ...(Screen && { component: asked === undefined ? Screen : gated(asked, page.title, Screen) }),
    })
  }
}

/** The screen behind the gate of its function. Both come beside the answer, not after it. */
function gated(name: FunctionName, title: Page['title'], Screen: RouteComponent): RouteComponent {
  const GatedScreen = () => (
    <Gate name={name} title={title}>
      <Screen />
    </Gate>
  )
  const preload = async () => void (await Promise.all([Gate.preload?.(), Screen.preload?.()]))
  return Object.assign(GatedScreen, { preload })
}
