import { Link, useNavigate } from '@tanstack/react-router'
import { listReviews, REVIEWS_PER_PAGE } from '../../../contract/audit.ts'
import { RIGHTS } from '../../../contract/audit-actions.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { useHasFunction } from '../../layout/use-permission.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf } from '../../lists/columns.ts'
import { ListResults } from '../../lists/list-results.tsx'
import { defineList } from '../../lists/use-list.ts'
import { useHref } from '../../routes/use-href.ts'
import { Badge } from '../../ui/badge.tsx'
import { Page } from '../../ui/card.tsx'
import layout from '../../ui/layout.module.css'
import { useQuarterName, useReviewTexts } from './review-texts.ts'
import { REVIEW_TONES } from './tones.ts'

/** A row of the list. */
type Quarter = OutputOf<typeof listReviews>['rows'][number]

/** The list of quarters: its URL and its query. */
const quarters = defineList({
  path: '/right/review',
  filters: {},
  perPage: REVIEWS_PER_PAGE,
  query: ({ page }, perPage) => query(listReviews, { page, perPage }),
})

/** Prefetches the page of the list that the URL names. */
export const { load } = quarters

/**
 * The page /right/review (rules/audit#reviews): the quarters and the state of their access reviews. A row opens its
 * quarter.
 */
export default function Reviews() {
  const { titles } = usePortalMessages()
  const t = useReviewTexts()
  const quarterName = useQuarterName()
  const navigate = useNavigate()
  const href = useHref()
  const page = quarters.usePage(quarters.useList())
  const mayReadTrail = useHasFunction('autho_audit_search')
  useShowRefusal(page.error)

  const { text, column } = columnsOf<Quarter, keyof typeof t.columns>(t.columns)
  const columns = [
    text('rowNumber', { width: 84, align: 'center' }),
    column('quarter', ({ quarter }) => quarterName(quarter), { isRowHeader: true }),
    column(
      'reviewState',
      ({ reviewState: state }) => <Badge tone={REVIEW_TONES[state]}>{t.states[state]}</Badge>,
      { width: 170, align: 'center' },
    ),
    column('items', ({ decidedCount, itemCount }) => itemsText(decidedCount, itemCount), { width: 190 }),
    text('signerName', { width: 150 }),
    text('signedAt', { width: 190 }),
  ]

  return (
    <Page title={titles.reviews}>
      <p className={layout.quiet}>
        {t.lead}{' '}
        {mayReadTrail && (
          <Link to="/audit/search" search={{ action: RIGHTS }}>
            {t.history}
          </Link>
        )}
      </p>
      <ListResults
        page={page}
        isShort
        texts={t}
        columns={columns}
        rows={page.data?.rows ?? []}
        getRowKey={({ quarter }) => quarter}
        onRowAction={({ quarter }) => void navigate({ to: '/right/quarter', search: { quarter } })}
        rowHref={({ quarter }) => href({ to: '/right/quarter', search: { quarter } })}
        rowActionLabel={({ quarter }) => t.open(quarterName(quarter))}
      />
    </Page>
  )
}

/** Returns how many of the items have a decision; '' before they are recorded. */
const itemsText = (decided: number, all: number) =>
  all === 0 ? '' : `${decided.toLocaleString()} / ${all.toLocaleString()}`
