import { Button, LinkButton } from '../../ui/Button.tsx'
import { useMessages } from '../../language.tsx'
import { useSessionUserId } from '../../session.ts'
import { MessageScreen } from './message-screen.tsx'

/** Stands in for a planned screen of the route table until its issue builds it. */
export function NotBuilt() {
  const t = useMessages().frame
  const isSignedIn = useSessionUserId() !== null
  return (
    <MessageScreen heading={t.notBuiltHeading} text={t.notBuiltText}>
      <Button onClick={() => history.back()}>{t.goBack}</Button>
      <LinkButton variant="primary" href={isSignedIn ? '/main' : '/login'}>
        {isSignedIn ? t.goHome : t.goLogin}
      </LinkButton>
    </MessageScreen>
  )
}
