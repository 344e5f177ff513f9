import { Button, LinkButton } from '../../ui/button.tsx'
import { useMessages } from '../../language.tsx'
import { MessageScreen } from './message-screen.tsx'

/** Shows that a page could not be loaded or has failed, with a button that reloads it and a link to the home page. */
export function ErrorScreen() {
  const t = useMessages().frame
  return (
    <MessageScreen heading={t.brokenHeading} text={t.brokenText}>
      <Button variant="primary" onClick={() => location.reload()}>
        {t.retry}
      </Button>
      <LinkButton href="/main">{t.goHome}</LinkButton>
    </MessageScreen>
  )
}
