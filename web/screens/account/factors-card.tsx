import type { GateKeeper } from '../../frame/password-gate.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadFactors = () => import('./factors.tsx')

/** 'Second factor' of my page (rules/account#second-factor): asked for at the press of its button. */
export function FactorsCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().factors
  const { opened, open, close } = useLatePart(loadFactors)
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
      {opened !== undefined && <opened.Factors guarded={guarded} />}
    </Card>
  )
}
