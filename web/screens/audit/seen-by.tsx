import { Link } from '@tanstack/react-router'
import { useHasFunction } from '../../frame/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'

/** Under somebody: the way to all that is on record of them in the access log, for those who may read it. */
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
