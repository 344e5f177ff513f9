import { usePortalMessages } from '../../../language.tsx'
import { LatePartButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import layout from '../../../ui/layout.module.css'
import { useLatePart } from '../../../ui/use-late-part.ts'

const loadRows = () => import('./user-sessions-rows.tsx')

/**
 * Shows a user's sessions (rules/users#sessions-seen). They are requested only when the button is pressed, because each view is
 * logged.
 */
export function UserSessionsCard({ userId }: { userId: string }) {
  const t = usePortalMessages().userSessions
  const part = useLatePart(loadRows)
  const { opened } = part
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.UserSessionsRows userId={userId} />}
    </Card>
  )
}
