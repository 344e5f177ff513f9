import { Button, LinkButton } from '../../ui/button.tsx'
import { useMessages } from '../../language.tsx'
import { MessageScreen } from './message-screen.tsx'

/** A screen that could not be loaded or failed while it was drawn: says so instead of going blank. */
export function Broken() {
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
