import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { getNotice } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { bytesAsText } from '../files/bytes.ts'
import { FileButton } from '../files/file-button.tsx'
import { PreviewButton } from '../write/preview-dialog.tsx'
import { PersonName } from '../../users/record/person-name.tsx'
import { MemoText } from './memo-text.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import styles from './notice-card.module.css'
import { Badge } from '../../../ui/badge.tsx'
import { LeadingMarks, TrailingMarks } from '../search/marks.tsx'

/** Notice as the API returns it. */
export type Notice = OutputOf<typeof getNotice>

/**
 * Shows the content of a notice (rules/notices#notice-detail): author with ID, time, views, state, files and text.
 * `NoticeTitle` shows the title.
 */
export function NoticeCard({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  return (
    <article className={styles.card}>
      <header className={styles.header}>
        <dl className={styles.facts}>
          <div>
            <dt>{t.author}</dt>
            <dd>
              <PersonName userId={notice.userId} name={notice.name} /> ({notice.userId})
            </dd>
          </div>
          <div>
            <dt>{t.time}</dt>
            <dd>
              <time dateTime={notice.registeredAt.replace(' ', 'T')}>{notice.registeredAt}</time>
            </dd>
          </div>
          <div className={layout.onScreen}>
            <dt>{t.views}</dt>
            <dd>{t.viewCount(notice.viewCount.toLocaleString())}</dd>
          </div>
        </dl>
        <State notice={notice} />
      </header>
      <Files notice={notice} />
      <section className={styles.memo} aria-label={t.memo}>
        {notice.memo === null || notice.memo === '' ? (
          <p className={layout.quiet}>{t.noMemo}</p>
        ) : (
          <MemoText text={notice.memo} format={notice.memoFormat} source={notice} />
        )}
      </section>
    </article>
  )
}

/**
 * Shows when a notice will be published, until when it is pinned, and its audience; nothing if none of these
 * applies.
 */
function State({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  const says = [
    ...(notice.scheduled ? [t.scheduled(notice.registeredAt.slice(0, 16))] : []),
    ...(notice.pinned ? [t.pinnedUntil(notice.pinnedUntil)] : []),
    ...(notice.restricted ? [t.audience(audienceText(notice))] : []),
  ]
  if (says.length === 0) return null
  return <p className={classes(styles.state, layout.onScreen)}>{says.join(' ')}</p>
}

/** Returns the names of the affiliations, then of the roles, in the audience of a notice. A reader must match both. */
function audienceText({ audienceAffiliations, audienceRoles }: Notice): string {
  return [audienceAffiliations, audienceRoles]
    .filter((kind) => kind.length > 0)
    .map((kind) => kind.map(({ codeName }) => codeName).join(', '))
    .join(' · ')
}

/**
 * Shows the attached files of a notice with size, number of downloads, and buttons to download and preview;
 * nothing without files.
 */
function Files({ notice: { files } }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  if (files.length === 0) return null
  return (
    <section className={styles.files}>
      <h2>{t.files(files.length)}</h2>
      <ul>
        {files.map((file) => (
          <li key={file.fileId}>
            <FileButton file={file} />
            <span className={layout.onScreen}>
              <PreviewButton file={file} />
            </span>
            <span className={styles.quiet}>{bytesAsText(file.fileSize)}</span>
            <span className={classes(styles.quiet, layout.onScreen)}>
              {t.downloads(file.downloadCount.toLocaleString())}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Shows the heading of a notice: its bullet, its title and its badges (rules/notices#notice-detail). */
export function NoticeTitle({ notice }: { notice: Notice }) {
  return (
    <span className={styles.title}>
      <span className={styles.bullet}>
        <Badge tone={notice.bulletCode === 'BE0001' ? 'positive' : 'info'}>{notice.bulletName}</Badge>
      </span>
      <LeadingMarks notice={notice} />
      <span>
        {notice.title} <TrailingMarks notice={notice} />
      </span>
    </span>
  )
}
