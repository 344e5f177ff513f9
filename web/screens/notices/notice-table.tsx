import type { OutputOf } from '../../../contract/endpoint.ts'
import { NOTICES_PER_PAGE, type listNotices } from '../../../contract/notices.ts'
import { usePortalMessages } from '../../language.tsx'
import { DataTable, type DataColumn, type DataTableProps } from '../../ui/data-table.tsx'
import { LeadingMarks, TrailingMarks } from './marks.tsx'
import layout from '../../ui/layout.module.css'
import styles from './notice-search.module.css'

/** A row of the notice list. */
export type NoticeRow = OutputOf<typeof listNotices>['notices'][number]

type Props = Pick<DataTableProps<NoticeRow>, 'rows' | 'state' | 'error' | 'empty' | 'onRetry'> & {
  onOpen: (row: NoticeRow) => void
}

/** No., title, author, written time (rules/notices#notice-board), and the marks of a board beside the title. */
export function NoticeTable({ onOpen, ...rest }: Props) {
  const { notices, lists } = usePortalMessages()
  const t = notices.search
  return (
    <DataTable
      {...rest}
      label={t.results}
      columns={useColumns()}
      getRowKey={(row) => row.noticeId}
      rowCount={NOTICES_PER_PAGE}
      loadingLabel={t.loading}
      retryLabel={lists.retry}
      onRowAction={onOpen}
      rowActionLabel={(row) => t.open(row.title)}
    />
  )
}

function useColumns(): DataColumn<NoticeRow>[] {
  const headers = usePortalMessages().notices.search.columns
  return [
    {
      key: 'rowNumber',
      header: headers.rowNumber,
      render: (row) => row.rowNumber,
      width: 96,
      align: 'center',
    },
    { key: 'title', header: headers.title, render: (row) => <Title row={row} />, isRowHeader: true },
    { key: 'name', header: headers.name, render: (row) => row.name, width: 150 },
    {
      key: 'registeredAt',
      header: headers.registeredAt,
      render: (row) => row.registeredAt,
      width: 190,
    },
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
