import { exportLeakPeople, INCIDENTS_PER_PAGE, listLeakPeople } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { callForFile } from '../../api/call-for-file.ts'
import { query } from '../../api/query.ts'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { ExportButton } from '../../lists/export-button.tsx'
import { ListResults } from '../../lists/list-results.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { usePlainList } from '../../lists/use-list.ts'
import { Badge } from '../../ui/badge.tsx'
import { useLeakTexts } from './leak-texts.ts'

/** A row of the list. */
type Person = OutputOf<typeof listLeakPeople>['rows'][number]

/** Badge tones of the states of an account: present, closed, erased. */
const TONES = { PRESENT: 'neutral', WITHDRAWN: 'warning', ERASED: 'danger' } as const

/**
 * Lists the data subjects that the searches of an incident found, 20 per page, with their export (`exportLeakPeople`,
 * rules/audit#leak-people).
 */
export function LeakPeople({ incidentId }: { incidentId: string }) {
  const t = useLeakTexts().people
  const list = usePlainList()
  const page = useListPage(
    list,
    query(listLeakPeople, { incidentId, page: list.page, perPage: INCIDENTS_PER_PAGE }),
    INCIDENTS_PER_PAGE,
  )
  const { text, column } = columnsOf<Person, keyof typeof t.columns>(t.columns)
  const columns = [
    text('rowNumber', { width: 84, align: 'center' }),
    text('userId', { width: 150 }),
    text('name', { isRowHeader: true, width: 140 }),
    column('personState', ({ personState: state }) => <Badge tone={TONES[state]}>{t.states[state]}</Badge>, {
      width: 130,
      align: 'center',
    }),
    column('tasks', ({ tasks }) => tasks.join(', '), { wraps: 'words' }),
    column('touchCount', ({ touchCount }) => touchCount.toLocaleString(), { width: 90, align: 'right' }),
    column('firstTouchedAt', (row) => minuteOf(row.firstTouchedAt), { width: 160 }),
    column('lastTouchedAt', (row) => minuteOf(row.lastTouchedAt), { width: 160 }),
  ]
  return (
    <ListResults
      page={page}
      isShort
      texts={t}
      columns={columns}
      rows={page.data?.rows ?? []}
      getRowKey={({ rowNumber }) => rowNumber}
    >
      <ExportButton
        name="leakPeople"
        total={page.total}
        receive={(asked, options) => callForFile(exportLeakPeople, { incidentId, ...asked }, options)}
      />
    </ListResults>
  )
}
