import { usePortalMessages } from '../../../language.tsx'
import { LatePartButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import layout from '../../../ui/layout.module.css'
import { useLatePart } from '../../../ui/use-late-part.ts'

const loadReset = () => import('./factor-reset.tsx')

/**
 * Shows a user's second factors (rules/users#factor-reset). They are requested only when the button is pressed, because each view
 * is logged.
 */
export function FactorResetCard({ userId }: { userId: string }) {
  const t = usePortalMessages().factorReset
  const part = useLatePart(loadReset)
  const { opened } = part
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.FactorReset userId={userId} />}
    </Card>
  )
}
