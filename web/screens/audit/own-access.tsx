import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLatePart } from '../../ui/use-late-part.ts'

const loadRows = () => import('./own-access-rows.tsx')

/** 'Who has looked at my data' of my page (rules/audit#own-access): asked for at the press of its button. */
export function OwnAccessCard() {
  const t = usePortalMessages().ownAccess
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
      {opened !== undefined && <opened.OwnAccessRows />}
    </Card>
  )
}
