import { useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { ERASURES_PER_PAGE, listErasures } from '../../../contract/settings/retention.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { columnsOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Card } from '../../ui/card.tsx'
import { useRetentionTexts } from './retention-texts.ts'

/** A day of erasure. */
type Day = OutputOf<typeof listErasures>['rows'][number]

/** The list of days on which data was erased, on the page /setting/retention. */
export const erasures = defineList({
  path: '/setting/retention',
  filters: {},
  perPage: ERASURES_PER_PAGE,
  query: ({ page }, perPage) => query(listErasures, { page, perPage }),
})

/**
 * Shows the days on which data was erased, with its kinds and number (rules/retention#erasures). A row opens its
 * certificate.
 */
export function ErasuresCard() {
  const t = useRetentionTexts()
  const navigate = useNavigate()
  const href = useHref()
  const page = erasures.usePage(erasures.useList())
  useShowRefusal(page.error)
  const { columns } = t.erasures
  const { text, column } = columnsOf<Day, keyof typeof columns>(columns)
  const target = ({ erasedOn }: Day) =>
    ({ to: '/setting/erasure', search: { erasedFrom: erasedOn, erasedTo: erasedOn } }) as const
  return (
    <Card title={t.erasures.title}>
      <ListResults
        page={page}
        isShort
        texts={t.erasures}
        columns={[
          text('rowNumber', { width: 84, align: 'center' }),
          text('erasedOn', { isRowHeader: true, width: 170 }),
          column('erasedKinds', (row) => row.erasedKinds.map((kind) => t.kinds[kind]).join(', '), {
            wraps: 'words',
          }),
          column('erasedCount', (row) => t.certificate.count(row.erasedCount.toLocaleString()), {
            width: 150,
          }),
        ]}
        rows={page.data?.rows ?? []}
        getRowKey={({ erasedOn }) => erasedOn}
        onRowAction={(day) => void navigate(target(day))}
        rowHref={(day) => href(target(day))}
        rowActionLabel={({ erasedOn }) => t.erasures.open(erasedOn)}
      />
    </Card>
  )
}
