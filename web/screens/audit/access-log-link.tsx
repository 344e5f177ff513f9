import { Link } from '@tanstack/react-router'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'

/** Shows a card with a link to all access-log entries about a user; nothing to viewers who may not read the log. */
export function SeenBy({ userId }: { userId: string }) {
  const t = usePortalMessages().seenBy
  if (!useHasFunction('autho_audit_search')) return null
  return (
    <Card title={t.title}>
      <p className={layout.lead}>{t.lead}</p>
      <Link to="/access/search" search={{ subject: userId }}>
        {t.open}
      </Link>
    </Card>
  )
}
