import { lazy } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { useMessages } from '../../language.tsx'
import { useSessionUserId } from '../../session.ts'
import { MessageScreen } from './message-screen.tsx'

/** The illustration, whose code loads with the screen. */
const LostPicture = lazy(async () => ({
  default: (await import('../../ui/not-found-illustration.tsx')).LostPicture,
}))

/** Shows that the page of a path does not exist (rules/frame#page-not-found), with a link to the home page or the login. */
export function NotFound() {
  const t = useMessages().frame
  const isSignedIn = useSessionUserId() !== null
  return (
    <MessageScreen picture={<LostPicture />} heading={t.notFoundHeading} text={t.notFoundText}>
      <LinkButton variant="primary" href={isSignedIn ? '/main' : '/login'}>
        {isSignedIn ? t.goHome : t.goLogin}
      </LinkButton>
    </MessageScreen>
  )
}
