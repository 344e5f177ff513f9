import type { OutputOf } from '../../../contract/endpoint.ts'
import type { getNotice } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { bytesInWords } from './bytes.ts'
import { FileButton } from './file-button.tsx'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import { MemoText } from './memo-text.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-card.module.css'

/** A notice as the server tells it. */
export type Notice = OutputOf<typeof getNotice>

/** The notice itself (spec §2): bullet, title, author and ID, time, attachment line with its count, memo. */
export function NoticeCard({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  return (
    <article className={styles.card}>
      <header className={styles.header}>
        <h2 className={styles.title}>
          <span className={styles.bullet}>
            <Badge tone={notice.BULLET_CODE === 'BE0001' ? 'positive' : 'info'}>
              {notice.BULLET_CODE_NAME}
            </Badge>
          </span>
          <LeadingMarks notice={notice} />
          <span>{notice.TITLE}</span>
          <TrailingMarks notice={notice} />
        </h2>
        <dl className={styles.facts}>
          <div>
            <dt>{t.author}</dt>
            <dd>
              {notice.NAME} ({notice.USER_ID})
            </dd>
          </div>
          <div>
            <dt>{t.time}</dt>
            <dd>
              <time dateTime={notice.REGSTER_DATETIME.replace(' ', 'T')}>{notice.REGSTER_DATETIME}</time>
            </dd>
          </div>
          <div>
            <dt>{t.views}</dt>
            <dd>{t.viewCount(notice.VIEW_COUNT.toLocaleString())}</dd>
          </div>
        </dl>
        <State notice={notice} />
      </header>
      <Files notice={notice} />
      <section className={styles.memo} aria-label={t.memo}>
        {notice.MEMO === null || notice.MEMO === '' ? (
          <p className={layout.quiet}>{t.noMemo}</p>
        ) : (
          <MemoText text={notice.MEMO} newWindow={t.opensNewWindow} />
        )}
      </section>
    </article>
  )
}

function State({ notice }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  const says = [
    ...(notice.SCHEDULED === 'Y' ? [t.scheduled(notice.REGSTER_DATETIME.slice(0, 16))] : []),
    ...(notice.PINNED === 'Y' ? [t.pinnedUntil(notice.PINNED_UNTIL)] : []),
  ]
  if (says.length === 0) return null
  return <p className={styles.state}>{says.join(' ')}</p>
}

function Files({ notice: { FILE_LIST } }: { notice: Notice }) {
  const t = usePortalMessages().notices.detail
  if (FILE_LIST.length === 0) return null
  return (
    <section className={styles.files}>
      <h3>{t.files(FILE_LIST.length)}</h3>
      <ul>
        {FILE_LIST.map((file) => (
          <li key={file.FILE_ID}>
            <FileButton file={file} />
            <span className={styles.quiet}>{bytesInWords(file.FILE_SIZE)}</span>
            <span className={styles.quiet}>{t.downloads(file.DOWNLOAD_COUNT.toLocaleString())}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
