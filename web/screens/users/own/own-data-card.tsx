import { exportOwnData } from '../../../../contract/users/own-data.ts'
import { callForFile } from '../../../api/client.ts'
import { saveContent } from '../../../api/save-content.ts'
import { showRefusal } from '../../../api/show-refusal.ts'
import { today } from '../../../forms/today.ts'
import { useBusy } from '../../../forms/use-busy.tsx'
import type { GateKeeper } from '../../../frame/password-gate.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import layout from '../../../ui/layout.module.css'

/** 'Download my data' of my page (rules/retention#own-data). */
export function OwnDataCard({ guarded }: GateKeeper) {
  const t = usePortalMessages().exports.ownData
  const { during, overlay } = useBusy()

  async function download(): Promise<void> {
    try {
      const content = await guarded(() => during(t.busy, () => callForFile(exportOwnData, {})))
      saveContent(content, `${t.fileName}_${today()}.json`)
    } catch (refusal) {
      await showRefusal(refusal)
    }
  }

  return (
    <Card
      title={t.title}
      actions={
        <Button size="small" onClick={() => void download()}>
          {t.start}
        </Button>
      }
    >
      <p className={layout.lead}>{t.lead}</p>
      {overlay}
    </Card>
  )
}
