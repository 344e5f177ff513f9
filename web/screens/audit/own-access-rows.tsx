import { listOwnAccess, OWN_ACCESS_PER_PAGE } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { columnsOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { useListPage } from '../../lists/use-list-page.ts'
import { usePlainList } from '../../lists/use-list.ts'
import { Task } from './access-columns.tsx'
import { useAccessTexts } from './access-texts.ts'

/** A row of the list. */
type OwnAccess = OutputOf<typeof listOwnAccess>['rows'][number]

/** Shows who accessed the user's own data and for which task, 5 rows a page (rules/audit#own-access). */
export function OwnAccessRows() {
  const t = useAccessTexts().own
  const list = usePlainList()
  const input = { page: list.page, perPage: OWN_ACCESS_PER_PAGE }
  const page = useListPage(list, query(listOwnAccess, input), OWN_ACCESS_PER_PAGE)
  return (
    <ListResults
      page={page}
      isShort
      texts={t}
      columns={useColumns()}
      rows={page.data?.rows ?? []}
      getRowKey={(row) => row.rowNumber}
    />
  )
}

/** Returns the columns of the list: time, user, kind of access and task. */
function useColumns(): ListColumn<OwnAccess>[] {
  const { own: t, removed } = useAccessTexts()
  const { text, column } = columnsOf<OwnAccess, keyof typeof t.columns>(t.columns)
  return [
    text('accessedAt', { width: 190 }),
    column('user', ({ name }) => name || removed, { width: 170 }),
    text('userId', { width: 170 }),
    text('affiliationName', { width: 200 }),
    text('act', { width: 110, align: 'center' }),
    column('task', (row) => <Task {...row} />, { isRowHeader: true, wraps: 'words' }),
  ]
}
