import { useState } from 'react'
import { saveContent } from '../../api/download.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useLazyPart } from '../../ui/use-lazy-part.ts'
import type { DraftName } from './draft-dialog.tsx'
import type { Incident } from './incident-dialog.tsx'
import { useLeakTexts } from './leak-texts.ts'
import styles from './report.module.css'

/** Loads the code of the dialog that edits a draft. */
const loadDialog = () => import('./draft-dialog.tsx')

/** The draft of an incident, and whether the user may change it. */
interface Props {
  incident: Incident
  name: DraftName
  mayChange: boolean
  onPrint: () => void
}

/**
 * Shows a saved draft of an incident (rules/audit#leak-drafts): buttons print and download it, unless it is empty, and
 * with `mayChange` edit it.
 */
export function DraftCard({ incident, name, mayChange, onPrint }: Props) {
  const t = useLeakTexts()
  const title = name === 'noticeDraft' ? t.drafts.notice : t.drafts.report
  const [isEditing, setEditing] = useState(false)
  const dialog = useLazyPart(loadDialog)
  const text = incident[name]

  function edit(): void {
    setEditing(true)
    dialog.open()
  }

  return (
    <Card
      title={title}
      actions={
        <>
          {text !== '' && (
            <>
              <Button size="small" onClick={onPrint}>
                {t.drafts.print}
              </Button>
              <Button
                size="small"
                onClick={() =>
                  saveContent(
                    new Blob([text], { type: 'text/markdown' }),
                    `${title} ${incident.incidentId}.md`,
                  )
                }
              >
                {t.drafts.download}
              </Button>
            </>
          )}
          {mayChange && (
            <Button size="small" aria-label={t.drafts.editOf(title)} onClick={edit}>
              {t.drafts.write}
            </Button>
          )}
        </>
      }
    >
      {text === '' ? (
        <p className={layout.quiet}>{t.drafts.lead}</p>
      ) : (
        <p className={styles.remark}>{text}</p>
      )}
      {isEditing && dialog.opened && (
        <dialog.opened.DraftDialog
          incident={incident}
          name={name}
          title={title}
          onClose={() => setEditing(false)}
        />
      )}
    </Card>
  )
}
