import { createRoute, lazyRouteComponent, type AnyRoute, type RouteComponent } from '@tanstack/react-router'
import { pages, type Page, type PagePath } from '../../contract/pages.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { isKnownToHold } from '../session.ts'
import { words } from './address.ts'
import { guard } from './guards.ts'

const importGate = () => import('../frame/function-gate.tsx')
const Gate = lazyRouteComponent(importGate, 'FunctionGate')

type Words<W extends string> = Partial<Record<W, string>>

/** What the browser alone knows of a page; the rest stands in `contract/pages.ts`. */
interface Descriptor<W extends string> {
  /** Words of its address; whatever else stands there is dropped. */
  search?: readonly W[]
  /** Its title, where the address decides it. */
  title?: (search: Words<string>) => Page['title']
  /** Where the address leads before anything is loaded. */
  before?: (search: Words<W>) => Promise<void> | void
  /** Asks for what the screen reads first, while the screen is on its way. */
  load?: (search: Words<W>, state: { userId?: string | undefined }) => Promise<void> | void
  /** A file of its own, loaded when the page is opened. */
  screen?: RouteComponent
}

/** Makes the routes of the pages inside a frame. */
export function pagesIn<Frame extends AnyRoute>(frame: Frame) {
  return <P extends PagePath, W extends string = never>(path: P, descriptor: Descriptor<W>) => {
    const page: Page = pages[path]
    const { search = [], title = page.title, before, load, screen } = descriptor
    const asked = page.asksFirst ? page.permission : undefined
    return createRoute({
      getParentRoute: () => frame,
      path,
      staticData: { title },
      validateSearch: words<W>(...search),
      loaderDeps: (address: { search: Words<W> }) => address.search,
      beforeLoad: (address: { search: Words<W> }) => {
        if (page.needsLogin) guard(path)
        return before?.(address.search)
      },
      loader: async ({ deps, location }) => {
        const isShown = asked === undefined || isKnownToHold(asked)
        await Promise.all([
          asked !== undefined && importGate().then(({ prefetchCheck }) => void prefetchCheck(asked)),
          // Of somebody who may have lost the function the data wait for the answer: no call behind it is refused.
          isShown && load?.(deps, location.state),
          // A part of the page that could not be loaded is said by the screen itself.
        ]).catch(() => undefined)
      },
      ...(screen !== undefined && {
        component: asked === undefined ? screen : gated(asked, page.title, screen),
      }),
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
