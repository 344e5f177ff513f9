import type { GateKeeper } from '../../frame/password-gate.tsx'
import { usePortalMessages } from '../../language.tsx'
import { LatePartButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadFactors = () => import('./factors.tsx')

/** 'Second factor' of my page (rules/account#second-factor): asked for at the press of its button. */
export function FactorsCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().factors
  const part = useLatePart(loadFactors)
  const { opened } = part
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.Factors guarded={guarded} />}
    </Card>
  )
}
