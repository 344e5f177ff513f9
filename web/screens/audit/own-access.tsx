import { usePortalMessages } from '../../language.tsx'
import { LatePartButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadRows = () => import('./own-access-rows.tsx')

/** 'Who has looked at my data' of my page (rules/audit#own-access): asked for at the press of its button. */
export function OwnAccessCard() {
  const t = usePortalMessages().ownAccess
  const part = useLatePart(loadRows)
  const { opened } = part
  return (
    <Card title={t.title} actions={<LatePartButton part={part} texts={t} />}>
      <p className={layout.lead}>{t.lead}</p>
      {opened !== undefined && <opened.OwnAccessRows />}
    </Card>
  )
}
