import { HISTORY_PER_PAGE, listHistory } from '../../../contract/audit.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { usePlainList } from '../../lists/use-list.ts'
import { Card } from '../../ui/card.tsx'
import { useAuditColumns, whoOf } from './audit-columns.tsx'
import { useAuditTexts } from './audit-texts.ts'
import styles from './audit.module.css'

/** Which record a history is of. */
export type HistoryOf = Pick<InputOf<typeof listHistory>, 'recordKind' | 'recordId'>

/** What became of a record, for those who may administer it, and who changed it last (rules/audit#history). */
export default function HistoryCard(record: HistoryOf) {
  const texts = useAuditTexts()
  const t = texts.history
  const list = usePlainList()
  const page = useListPage(
    list,
    query(listHistory, { ...record, page: list.page, perPage: HISTORY_PER_PAGE }),
    HISTORY_PER_PAGE,
  )
  const rows = page.data?.rows ?? []
  const [last] = list.page === 1 ? rows : []
  const columns = useAuditColumns(true).filter((column) => column.isExtra !== true)
  return (
    <Card title={t.title}>
      {last !== undefined && (
        <p className={styles.last}>{t.last(last.changedAt.slice(0, 16), whoOf(last, texts.system))}</p>
      )}
      <ListResults
        page={page}
        isShort
        texts={{ results: t.title, loading: t.loading, empty: t.empty, failed: t.failed }}
        columns={columns}
        rows={rows}
        getRowKey={(row) => row.rowNumber}
      />
    </Card>
  )
}
