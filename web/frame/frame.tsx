import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { LOCALES } from '../forms/date-texts.ts'
import { useLanguage } from '../language.tsx'
import { useSessionUserId } from '../session.ts'
import { Header } from './header.tsx'
import { Shell, SlimFrame } from './shell.tsx'

/** The page frame (rules/frame#header): the header has the menu once somebody is signed in. */
export function Frame({ children }: { children?: ReactNode }) {
  const { language } = useLanguage()
  const isSignedIn = useSessionUserId() !== null
  return (
    <I18nProvider locale={LOCALES[language]}>
      {isSignedIn ? <Shell header={<Header />}>{children}</Shell> : <SlimFrame>{children}</SlimFrame>}
    </I18nProvider>
  )
}
