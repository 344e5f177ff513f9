import type { GateKeeper } from '../../frame/password-gate.tsx'
import { usePortalMessages } from '../../language.tsx'
import { LatePartButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadRows = () => import('./program-rows.tsx')

/** 'Program tokens' of my page (rules/keys#program-tokens): asked for at the press of its button. */
export function ProgramsCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().programs
  const part = useLatePart(loadRows)
  const { opened } = part
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.ProgramRows guarded={guarded} />}
    </Card>
  )
}
