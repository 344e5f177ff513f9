import { ConflictCard } from '../../../forms/conflict-card.tsx'
import type { Notice } from '../read/notice-card.tsx'
import styles from './notice-form.module.css'

/** Shows what another user saved while this form was open, so that neither version is lost unseen. */
export function ChangedCard({ notice, onTake }: { notice: Notice; onTake: () => void }) {
  return (
    <ConflictCard isOverwriting onTake={onTake}>
      <h3>{notice.title}</h3>
      {notice.memo !== null && notice.memo !== '' && <div className={styles.theirsMemo}>{notice.memo}</div>}
    </ConflictCard>
  )
}
