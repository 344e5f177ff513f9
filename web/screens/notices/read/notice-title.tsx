import { Badge } from '../../../ui/badge.tsx'
import { LeadingMarks, TrailingMarks } from '../search/marks.tsx'
import type { Notice } from './notice-card.tsx'
import styles from './notice-card.module.css'

/** The heading of a notice: its bullet, its title and its badges (rules/notices#notice-detail). */
export function NoticeTitle({ notice }: { notice: Notice }) {
  return (
    <span className={styles.title}>
      <span className={styles.bullet}>
        <Badge tone={notice.bulletCode === 'BE0001' ? 'positive' : 'info'}>{notice.bulletName}</Badge>
      </span>
      <LeadingMarks notice={notice} />
      <span>{notice.title}</span>
      <TrailingMarks notice={notice} />
    </span>
  )
}
