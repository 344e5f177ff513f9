import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadRows = () => import('./user-sessions-rows.tsx')

/** Where somebody is logged in (rules/users#sessions-seen): asked for at the press of its button, since each look is on record. */
export function UserSessionsCard({ userId }: { userId: string }) {
  const t = usePortalMessages().userSessions
  const { opened, open, close } = useLatePart(loadRows)
  return (
    <Card
      title={t.title}
      actions={
        <Button
          size="small"
          aria-expanded={opened !== undefined}
          onClick={opened === undefined ? open : close}
        >
          {opened === undefined ? t.open : t.close}
        </Button>
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.UserSessionsRows userId={userId} />}
    </Card>
  )
}
