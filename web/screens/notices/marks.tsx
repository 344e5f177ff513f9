import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { FileIcon, PinIcon } from '../../ui/icons.tsx'
import styles from './marks.module.css'

/** What a board marks of a notice. */
interface Marked {
  pinned: boolean
  scheduled: boolean
  isNew: boolean
  mustRead: boolean
}

/** Before a title: pinned, not published yet, must-read. */
export function LeadingMarks({ notice }: { notice: Marked }) {
  const t = usePortalMessages().notices.marks
  return (
    <>
      {notice.pinned && (
        <span className={styles.pin} title={t.pinned}>
          <PinIcon size={16} />
          <span className="visually-hidden">{t.pinned}</span>
        </span>
      )}
      {notice.scheduled && <Badge tone="info">{t.scheduled}</Badge>}
      {notice.mustRead && <Badge tone="warning">{t.mustRead}</Badge>}
    </>
  )
}

/** After a title: a file, and the new mark. */
export function TrailingMarks({ notice, hasFile = false }: { notice: Marked; hasFile?: boolean }) {
  const t = usePortalMessages().notices.marks
  return (
    <>
      {hasFile && (
        <span className={styles.file} title={t.hasFile}>
          <FileIcon size={15} />
          <span className="visually-hidden">{t.hasFile}</span>
        </span>
      )}
      {notice.isNew && (
        <span className={styles.new} title={t.isNew}>
          <span aria-hidden="true">N</span>
          <span className="visually-hidden">{t.isNew}</span>
        </span>
      )}
    </>
  )
}
