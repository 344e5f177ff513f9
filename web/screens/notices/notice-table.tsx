import type { OutputOf } from '../../../contract/endpoint.ts'
import { NOTICES_PER_PAGE, type listNotices } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { DataTable, type DataColumn, type DataTableProps } from '../../ui/data-table.tsx'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-search.module.css'

/** A row of the notice list. */
export type NoticeRow = OutputOf<typeof listNotices>['NOTICE_LIST'][number]

type Props = Pick<DataTableProps<NoticeRow>, 'rows' | 'state' | 'error' | 'empty' | 'onRetry'> & {
  onOpen: (row: NoticeRow) => void
}

/** No., title, author, written time (spec §2), and the marks of a board beside the title. */
export function NoticeTable({ onOpen, ...rest }: Props) {
  const { notices, lists } = usePortalMessages()
  const t = notices.search
  return (
    <DataTable
      {...rest}
      label={t.results}
      columns={useColumns()}
      getRowKey={(row) => row.NOTICE_ID}
      rowCount={NOTICES_PER_PAGE}
      loadingLabel={t.loading}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.open(row.TITLE)}
    />
  )
}

function useColumns(): DataColumn<NoticeRow>[] {
  const headers = usePortalMessages().notices.search.columns
  return [
    { key: 'NO', header: headers.NO, render: (row) => row.NO, width: 96, align: 'center' },
    { key: 'TITLE', header: headers.TITLE, render: (row) => <Title row={row} />, isRowHeader: true },
    { key: 'NAME', header: headers.NAME, render: (row) => row.NAME, width: 150 },
    {
      key: 'REGSTER_DATETIME',
      header: headers.REGSTER_DATETIME,
      render: (row) => row.REGSTER_DATETIME,
      width: 190,
    },
  ]
}

function Title({ row }: { row: NoticeRow }) {
  return (
    <span className={styles.title}>
      <LeadingMarks notice={row} />
      <span className={layout.ellipsis} title={row.TITLE}>
        {row.TITLE}
      </span>
      <TrailingMarks notice={row} hasFile={row.FILE_LIST.length > 0} />
    </span>
  )
}
