import { HISTORY_PER_PAGE } from '../../../contract/audit.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { usePlainList } from '../../lists/use-list.ts'
import { useAuditColumns } from './audit-columns.tsx'
import { useAuditTexts } from './audit-texts.ts'
import { historyQuery, type HistoryOf } from './history.tsx'

/**
 * Shows the history of a record, 5 rows a page. For roles and affiliations, whose history is that of all of them, a
 * column names the changed record. Has no column of addresses.
 */
export function HistoryRows(record: HistoryOf) {
  const t = useAuditTexts().history
  const isOfMany = record.recordKind === 'role' || record.recordKind === 'affiliation'
  const list = usePlainList()
  const page = useListPage(list, historyQuery(record, list.page), HISTORY_PER_PAGE)
  const columns = useAuditColumns().filter(({ key }) => key !== 'address' && (key !== 'target' || isOfMany))
  return (
    <ListResults
      page={page}
      isShort
      texts={{ results: t.title, loading: t.loading, empty: t.empty, failed: t.failed }}
      columns={columns}
      rows={page.data?.rows ?? []}
      getRowKey={(row) => row.rowNumber}
    />
  )
}
