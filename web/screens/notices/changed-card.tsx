import { usePortalMessages } from '../../language.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Notice } from './notice-card.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-form.module.css'

/** What somebody else saved while this form was open: nothing of either is lost unseen. */
export function ChangedCard({ notice, onTake }: { notice: Notice; onTake: () => void }) {
  const t = usePortalMessages().notices.form
  return (
    <Card
      title={t.changed}
      actions={
        <Button size="small" onClick={onTake}>
          {t.takeTheirs}
        </Button>
      }
    >
      <div className={layout.stack}>
        <p className={layout.warning}>{t.changedText}</p>
        <h3>{notice.title}</h3>
        {notice.memo !== null && notice.memo !== '' && <div className={styles.theirsMemo}>{notice.memo}</div>}
      </div>
    </Card>
  )
}
