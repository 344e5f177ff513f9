import { lazy, Suspense, type ReactNode } from 'react'
import { useSessionUserId } from '../session.ts'
import { useAwayFromGuide } from '../setup-guide.ts'
import { Header } from './header.tsx'
import { Shell, SlimFrame } from './shell.tsx'

const SetupBar = lazy(() => import('./setup-bar.tsx'))

/** The page frame (rules/frame#header): the header has the menu once somebody is signed in. */
export function Frame({ children }: { children?: ReactNode }) {
  const isSignedIn = useSessionUserId() !== null
  const isAwayFromGuide = useAwayFromGuide()
  if (!isSignedIn) return <SlimFrame>{children}</SlimFrame>
  const header = (
    <>
      <Header />
      {isAwayFromGuide && (
        <Suspense>
          <SetupBar />
        </Suspense>
      )}
    </>
  )
  return <Shell header={header}>{children}</Shell>
}
