import { useNavigate } from '@tanstack/react-router'
import { INSPECTIONS_PER_PAGE, listInspections } from '../../../contract/audit.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Badge } from '../../ui/badge.tsx'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useInspectionTexts, useMonthName } from './inspection-texts.ts'
import { RulesCard } from './rules-card.tsx'
import { TONES } from './tones.ts'

/** A row of the list. */
type Month = OutputOf<typeof listInspections>['rows'][number]

/** The list of months: its URL and its query. */
const months = defineList({
  path: '/access/inspection',
  filters: {},
  perPage: INSPECTIONS_PER_PAGE,
  query: ({ page }, perPage) => query(listInspections, { page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = months

/**
 * The page /access/inspection (rules/audit#inspections): the past months with the state of their inspections, and the
 * rules by which they are searched. A row opens its month.
 */
export default function Inspections() {
  const { titles } = usePortalMessages()
  const t = useInspectionTexts()
  const monthName = useMonthName()
  const navigate = useNavigate()
  const href = useHref()
  const page = months.usePage(months.useList())
  useShowRefusal(page.error)

  const { text, column } = columnsOf<Month, keyof typeof t.columns>(t.columns)
  const columns = [
    text('rowNumber', { width: 84, align: 'center' }),
    column('month', ({ month }) => monthName(month), { isRowHeader: true }),
    column(
      'inspectionState',
      ({ inspectionState: state }) => <Badge tone={TONES[state]}>{t.states[state]}</Badge>,
      { width: 170, align: 'center' },
    ),
    column('recordCount', (row) => t.records(row.recordCount.toLocaleString()), { width: 150 }),
    column('findings', (row) => findingsText(row), { width: 190 }),
    text('signerName', { width: 150 }),
    text('signedAt', { width: 190 }),
  ]

  return (
    <Page title={titles.inspections}>
      <p className={layout.quiet}>{t.lead}</p>
      <ListResults
        page={page}
        isShort
        texts={t}
        columns={columns}
        rows={page.data?.rows ?? []}
        getRowKey={(row) => row.month}
        onRowAction={({ month }) => void navigate({ to: '/access/month', search: { month } })}
        rowHref={({ month }) => href({ to: '/access/month', search: { month } })}
        rowActionLabel={({ month }) => t.open(monthName(month))}
      />
      <RulesCard />
    </Page>
  )
}

/** Returns how many of the findings have a remark; '' before the search and after the log was archived. */
const findingsText = ({ inspectionState, findingCount, remarkedCount }: Month) =>
  inspectionState === 'DUE' || inspectionState === 'ARCHIVED'
    ? ''
    : `${remarkedCount.toLocaleString()} / ${findingCount.toLocaleString()}`
