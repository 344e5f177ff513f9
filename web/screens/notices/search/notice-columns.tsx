import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { listNotices } from '../../../../contract/notices.ts'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf } from '../../../lists/columns.ts'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { classes } from '../../../ui/classes.ts'
import layout from '../../../ui/layout.module.css'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import styles from './notice-search.module.css'

/** A row of the notice list. */
export type NoticeRow = OutputOf<typeof listNotices>['notices'][number]

/**
 * Returns the columns: No., title, author, written time (rules/notices#notice-board), then bullet and views. The badges are next to
 * the title, which is bold until the user opens the notice.
 */
export function useNoticeColumns(): ListColumn<NoticeRow>[] {
  const headers = usePortalMessages().notices.search.columns
  const { text, column } = columnsOf<NoticeRow, keyof typeof headers>(headers)
  return [
    text('rowNumber', { width: 84, align: 'center' }),
    column('title', (row) => <Title row={row} />, { isRowHeader: true, isRequired: true }),
    text('name', { width: 150 }),
    text('registeredAt', { width: 180 }),
    text('bulletName', { width: 100 }),
    column('viewCount', (row) => row.viewCount.toLocaleString(), { width: 90, align: 'right' }),
  ]
}

/**
 * Returns whether the user has not read the notice yet: it is published, by another author and never opened
 * (rules/notices#unread-titles).
 */
export const isUnread = ({ viewed, scheduled }: NoticeRow) => !viewed && !scheduled

function Title({ row }: { row: NoticeRow }) {
  return (
    <span className={classes(styles.title, isUnread(row) && styles.unread)}>
      <LeadingMarks notice={row} />
      <span className={layout.ellipsis} title={row.title}>
        {row.title}
      </span>
      <TrailingMarks notice={row} hasFile={row.files.length > 0} />
    </span>
  )
}
