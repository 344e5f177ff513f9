import { lazy, Suspense, type ReactNode } from 'react'
import { useSessionUserId } from '../session.ts'
import { useAwayFromGuide } from '../setup-guide.ts'
import { Header } from './header.tsx'
import held from './setup-bar.module.css'
import { Shell, SlimFrame } from './shell.tsx'
import { usePalette } from './use-palette.tsx'

const SetupBar = lazy(() => import('./setup-bar.tsx'))

/**
 * Lays out a page. A logged-in user gets header, menu and command palette, and on pages opened from the setup guide a
 * bar that leads back (rules/frame#header). A guest gets the layout of `SlimFrame`. Without children it renders the
 * route.
 */
export function Frame({ children }: { children?: ReactNode }) {
  const isSignedIn = useSessionUserId() !== null
  const isAwayFromGuide = useAwayFromGuide()
  const { open, palette } = usePalette(isSignedIn)
  if (!isSignedIn) return <SlimFrame>{children}</SlimFrame>
  const header = (
    <>
      <Header onFind={open} />
      {palette}
      {isAwayFromGuide && (
        // Its place is held: a bar that came after the page would move what is being clicked.
        <Suspense fallback={<div className={held.bar}>&nbsp;</div>}>
          <SetupBar />
        </Suspense>
      )}
    </>
  )
  return <Shell header={header}>{children}</Shell>
}
