import type { OutputOf } from '../../../contract/endpoint.ts'
import type { listNotices } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import type { ListColumn } from '../../lists/use-columns.tsx'
import layout from '../../ui/layout.module.css'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import styles from './notice-search.module.css'

/** A row of the notice list. */
export type NoticeRow = OutputOf<typeof listNotices>['notices'][number]

/** No., title, author, written time (rules/notices#notice-board), and the marks of a board beside the title. */
export function useNoticeColumns(): ListColumn<NoticeRow>[] {
  const headers = usePortalMessages().notices.search.columns
  const { text, column } = columnsOf<NoticeRow, keyof typeof headers>(headers)
  return [
    text('rowNumber', { width: 96, align: 'center' }),
    column('title', (row) => <Title row={row} />, { isRowHeader: true }),
    text('name', { width: 150 }),
    text('registeredAt', { width: 190 }),
  ]
}

function Title({ row }: { row: NoticeRow }) {
  return (
    <span className={styles.title}>
      <LeadingMarks notice={row} />
      <span className={layout.ellipsis} title={row.title}>
        {row.title}
      </span>
      <TrailingMarks notice={row} hasFile={row.files.length > 0} />
    </span>
  )
}
