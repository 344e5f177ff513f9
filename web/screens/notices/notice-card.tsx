import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getNotice } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { bytesAsText } from './bytes.ts'
import { FileButton } from './file-button.tsx'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import { MemoText } from './memo-text.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-card.module.css'

/** A notice as the server tells it. */
export type Notice = OutputOf<typeof getNotice>

/**
 * The notice itself (rules/notices#notice-detail): bullet, title, author and ID, time, attachment line with its count,
 * memo.
 */
export function NoticeCard({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  return (
    <article className={styles.card}>
      <header className={styles.header}>
        <h2 className={styles.title}>
          <span className={styles.bullet}>
            <Badge tone={notice.bulletCode === 'BE0001' ? 'positive' : 'info'}>{notice.bulletName}</Badge>
          </span>
          <LeadingMarks notice={notice} />
          <span>{notice.title}</span>
          <TrailingMarks notice={notice} />
        </h2>
        <dl className={styles.facts}>
          <div>
            <dt>{t.author}</dt>
            <dd>
              {notice.name} ({notice.userId})
            </dd>
          </div>
          <div>
            <dt>{t.time}</dt>
            <dd>
              <time dateTime={notice.registeredAt.replace(' ', 'T')}>{notice.registeredAt}</time>
            </dd>
          </div>
          <div>
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
          <MemoText text={notice.memo} newWindow={t.opensNewWindow} />
        )}
      </section>
    </article>
  )
}

function State({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  const says = [
    ...(notice.scheduled ? [t.scheduled(notice.registeredAt.slice(0, 16))] : []),
    ...(notice.pinned ? [t.pinnedUntil(notice.pinnedUntil)] : []),
  ]
  if (says.length === 0) return null
  return <p className={styles.state}>{says.join(' ')}</p>
}

function Files({ notice: { files } }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  if (files.length === 0) return null
  return (
    <section className={styles.files}>
      <h3>{t.files(files.length)}</h3>
      <ul>
        {files.map((file) => (
          <li key={file.fileId}>
            <FileButton file={file} />
            <span className={styles.quiet}>{bytesAsText(file.fileSize)}</span>
            <span className={styles.quiet}>{t.downloads(file.downloadCount.toLocaleString())}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
