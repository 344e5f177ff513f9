import { usePortalMessages } from '../../../language.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { AudienceIcon, FileIcon, PinIcon } from '../../../ui/icons.tsx'
import styles from './marks.module.css'

/** States of a notice that the board shows as badges. */
interface Marked {
  pinned: boolean
  scheduled: boolean
  isNew: boolean
  mustRead: boolean
  restricted: boolean
  confirmed: boolean
}

/**
 * Shows the badges before a title: pinned, not published yet, required reading with the reader's confirmation, and limited
 * audience.
 */
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
      {notice.scheduled && <Badge tone="info">{t.scheduled}</Badge>}{' '}
      {notice.mustRead && (
        <Badge tone={notice.confirmed ? 'positive' : 'warning'}>
          {notice.confirmed ? t.confirmed : t.mustRead}
        </Badge>
      )}{' '}
      {notice.restricted && (
        <span className={styles.file} title={t.restricted}>
          <AudienceIcon size={16} />
          <span className="visually-hidden">{t.restricted}</span>
        </span>
      )}
    </>
  )
}

/** Shows the badges after a title: an attached file if `hasFile`, and new. */
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
          <span className="visually-hidden">{t.isNew}</span>
        </span>
      )}
    </>
  )
}

/**
 * Returns a function that describes the badges of a notice in words, for the label of a link that covers its row. Icons
 * and visible words are separate.
 */
export function useMarkWords(): (notice: Marked, hasFile: boolean) => { icons: string[]; words: string[] } {
  const t = usePortalMessages().notices.marks
  return (notice, hasFile) => ({
    icons: [
      ...(notice.isNew ? [t.isNew] : []),
      ...(hasFile ? [t.hasFile] : []),
      ...(notice.pinned ? [t.pinned] : []),
      ...(notice.restricted ? [t.restricted] : []),
    ],
    words: [
      ...(notice.scheduled ? [t.scheduled] : []),
      ...(notice.mustRead ? [notice.confirmed ? t.confirmed : t.mustRead] : []),
    ],
  })
}
