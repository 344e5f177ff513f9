import { lazy } from 'react'
import { LinkButton } from '../../ui/button.tsx'
import { useMessages } from '../../language.tsx'
import { useSessionUserId } from '../../session.ts'
import { MessageScreen } from './message-screen.tsx'

const LostPicture = lazy(async () => ({ default: (await import('../../ui/lost-picture.tsx')).LostPicture }))

/** Any path that is not in the route table (rules/frame#page-not-found): says that the page does not exist. */
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
