import type { ReactNode } from 'react'
import { useSessionUserId } from '../session.ts'
import { Header } from './header.tsx'
import { Shell, SlimFrame } from './shell.tsx'

/** The page frame (rules/frame#header): the header has the menu once somebody is signed in. */
export function Frame({ children }: { children?: ReactNode }) {
  const isSignedIn = useSessionUserId() !== null
  return isSignedIn ? <Shell header={<Header />}>{children}</Shell> : <SlimFrame>{children}</SlimFrame>
}
