import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { BULLET, HOME_NOTICES, type listNotices } from '../../../contract/notices.ts'
import { LoadFailed } from '../../forms/load-error.tsx'
import { Card } from '../../ui/card.tsx'
import { ExclamationIcon, KeyIcon, PageChangeIcon } from '../../ui/icons.tsx'
import { LeadingMarks, TrailingMarks } from '../notices/search/marks.tsx'
import { FileButton } from '../notices/files/file-button.tsx'
import { useHomeTexts } from './home-texts.ts'
import { newestNotices } from './load-home.ts'
import layout from '../../ui/layout.module.css'
import styles from './notice-panel.module.css'

type Notice = OutputOf<typeof listNotices>['notices'][number]

/**
 * Shows a card with the 4 newest published notices (rules/home#notice-panel) and a link to all. Always has 4
 * slots, so that nothing moves while they load. If the first request fails, shows an error with a retry.
 */
export function NoticePanel() {
  const t = useHomeTexts()
  const notices = useQuery(newestNotices)

  return (
    <div className={styles.panel}>
      <Card
        title={t.noticeHeading}
        actions={
          <Link to="/notice/search" aria-label={t.moreNotices}>
            {t.more}
          </Link>
        }
      >
        <div className={styles.area} aria-busy={notices.isPending}>
          {notices.isError && notices.data === undefined ? (
            <LoadFailed query={notices} message={t.noticesFailed} />
          ) : (
            <NoticeList notices={notices.data?.notices} />
          )}
        </div>
      </Card>
    </div>
  )
}

/**
 * Shows the slots: placeholders while `notices` is undefined. Fewer notices leave slots empty; without any the
 * first slot says so.
 */
function NoticeList({ notices }: { notices: readonly Notice[] | undefined }) {
  const t = useHomeTexts()
  return (
    <ul className={styles.list} aria-label={notices === undefined ? t.noticesLoading : t.noticeHeading}>
      {Array.from({ length: HOME_NOTICES }, (_, index) => {
        const notice = notices?.[index]
        if (notice !== undefined) return <NoticeSlot key={notice.noticeId} notice={notice} />
        if (notices === undefined) return <li key={index} aria-hidden="true" className={styles.bone} />
        const isFirst = index === 0
        return (
          <li key={index} aria-hidden={!isFirst} className={styles.empty}>
            {isFirst && t.noticesEmpty}
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Shows a notice with its kind, title, badges, time of publication and first file as a download. Title and icon
 * link to the notice.
 */
function NoticeSlot({ notice }: { notice: Notice }) {
  const t = useHomeTexts()
  const detail = {
    to: '/notice/detail',
    search: { noticeId: notice.noticeId, user_id: notice.userId },
  } as const
  const isNotice = notice.bulletCode === BULLET.notice
  const file = notice.files[0]
  return (
    <li className={styles.slot}>
      <span className={isNotice ? styles.bullet : styles.keyBullet} title={notice.bulletName}>
        {isNotice ? <ExclamationIcon size={22} /> : <KeyIcon size={22} />}
        <span className="visually-hidden">{notice.bulletName}</span>
      </span>
      <div className={styles.words}>
        <p className={styles.title}>
          <Link {...detail} className={layout.ellipsis} title={notice.title}>
            {notice.title}
          </Link>
          <TrailingMarks notice={notice} />
        </p>
        {file !== undefined && <FileButton file={file} />}
        <div className={styles.below}>
          <time className={layout.hint} dateTime={notice.registeredAt.replace(' ', 'T')}>
            {notice.registeredAt}
          </time>
          <LeadingMarks notice={notice} />
        </div>
      </div>
      <Link
        className={styles.open}
        {...detail}
        aria-label={t.openNotice(notice.title)}
        title={t.openNotice(notice.title)}
      >
        <PageChangeIcon />
      </Link>
    </li>
  )
}
