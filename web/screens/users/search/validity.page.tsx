import { useNavigate } from '@tanstack/react-router'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { ENDING, ENDING_PER_PAGE, listEnding } from '../../../../contract/users.ts'
import { invalidate, prefetch, query } from '../../../api/query.ts'
import { useShowRefusal } from '../../../forms/show-refusal-on-field.ts'
import { SegmentedControl } from '../../../layout/segmented.tsx'
import { usePortalMessages } from '../../../language.tsx'
import { columnsOf, dayOf } from '../../../lists/columns.ts'
import { ListResults } from '../../../lists/list-results.tsx'
import { storedSize } from '../../../lists/list-size.ts'
import { freshList, type ListState } from '../../../lists/list-state.ts'
import type { ListColumn } from '../../../lists/use-columns.tsx'
import { useListPage } from '../../../lists/use-list-page.ts'
import { useOwnList } from '../../../lists/use-list.ts'
import { useHref } from '../../../routes/use-href.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/card.tsx'
import { forgetSearch } from './search-memory.ts'
import { useChangeUser } from '../record/use-change-user.tsx'
import layout from '../../../ui/layout.module.css'

/** Row of the list of accounts that end soon or are suspended. */
type Row = OutputOf<typeof listEnding>['users'][number]
/** Filter of the page: which of the two lists it shows. */
type Filters = { state: (typeof ENDING)[keyof typeof ENDING] }

/** Returns the state of the list at first: accounts that end soon, on the first page. */
const beginning = () => freshList<Filters>({ state: ENDING.ending })
/** Name and default of the page size, which this browser stores. */
const SIZED = { list: '/user/validity', usual: ENDING_PER_PAGE }
/** Returns the query for a page of the list. */
const endingQuery = ({ filters, page, perPage = ENDING_PER_PAGE }: ListState<Filters>) =>
  query(listEnding, { ...filters, page, perPage })

/** Prefetches the first page of the accounts that end soon. */
export function load(): void {
  void prefetch(endingQuery({ ...beginning(), perPage: storedSize(SIZED.list, SIZED.usual) }))
}

/**
 * Shows the page /user/validity (rules/users#ending-accounts): the accounts that end soon or ended recently, or those
 * that are suspended, each with a button that extends it or lifts the suspension. The viewer's own account has none. A
 * row opens the user.
 */
export default function Validity() {
  const { titles, users } = usePortalMessages()
  const t = users.validity
  const navigate = useNavigate()
  const href = useHref()
  const list = useOwnList(beginning, SIZED)
  const page = useListPage(list, endingQuery(list), ENDING_PER_PAGE)
  useShowRefusal(page.error)
  const isSuspended = list.filters.state === ENDING.suspended
  return (
    <Page
      title={titles.userValidity}
      actions={
        <SegmentedControl
          label={t.which}
          value={list.filters.state}
          segments={[
            { value: ENDING.ending, label: t.ending },
            { value: ENDING.suspended, label: t.suspended },
          ]}
          onChange={(state) => list.search({ state })}
        />
      }
    >
      <p className={layout.quiet}>{isSuspended ? t.suspendedLead : t.lead}</p>
      <ListResults
        page={page}
        texts={{
          ...t,
          results: isSuspended ? t.suspended : t.ending,
          empty: isSuspended ? t.emptySuspended : t.emptyEnding,
        }}
        columns={useColumns(isSuspended)}
        rows={page.data?.users ?? []}
        getRowKey={(row) => row.userId}
        onRowAction={(row) => {
          // 'Back' of the detail leads to the search, which begins afresh.
          forgetSearch()
          void navigate({ to: '/user/detail', state: { userId: row.userId } })
        }}
        rowHref={({ userId }) => href({ to: '/user/detail', search: { userId } })}
        rowActionLabel={(row) => t.open(row.name)}
      />
    </Page>
  )
}

/** Returns the columns of the list, with the button of each row. A change or its refusal reads the list again. */
function useColumns(isSuspended: boolean): ListColumn<Row>[] {
  const { account, validity: t } = usePortalMessages().users
  const { extend, lift } = useChangeUser(() => invalidate(listEnding))
  const { text, column } = columnsOf<Row, keyof typeof t.columns>(t.columns)

  const whyOf = (row: Row) => (
    <span title={row.suspendedReason || undefined}>
      {account.suspendedFor[row.suspendedFor as keyof typeof account.suspendedFor]}
    </span>
  )

  function action(row: Row) {
    // Nobody decides about their own validity (rules/roles#own-account).
    if (row.isOwn) return <span className={layout.hint}>{t.own}</span>
    if (isSuspended) {
      return (
        <Button size="small" aria-label={t.liftOf(row.name)} onClick={() => void lift(row)}>
          {t.lift}
        </Button>
      )
    }
    return (
      <Button
        size="small"
        aria-label={t.extendOf(row.name, row.extendedTo)}
        title={t.extendTo(row.extendedTo)}
        onClick={() => void extend(row)}
      >
        {t.extend}
      </Button>
    )
  }

  return [
    text('rowNumber', { width: 72, align: 'center' }),
    text('name', { isRowHeader: true }),
    text('userId', { width: 170 }),
    text('affiliationName', { width: 150 }),
    column('lastLogin', (row) => dayOf(row.lastLoginAt) || t.never, { width: 130 }),
    column('end', (row) => row.validTo || t.noEnd, { width: 140 }),
    ...(isSuspended
      ? [
          column('suspendedFor', whyOf, { width: 130 }),
          column('suspended', (row) => dayOf(row.suspendedAt), { width: 120 }),
        ]
      : [
          column('left', ({ daysLeft }) => daysLeft !== null && <DaysLeft days={daysLeft} />, {
            width: 120,
            align: 'center',
          }),
        ]),
    column('action', action, { width: 150, align: 'center' }),
  ]
}

/** Shows the days until an account ends as a badge: negative after the end, a warning in the last 7 days. */
function DaysLeft({ days }: { days: number }) {
  const t = usePortalMessages().users.validity
  return <Badge tone={days < 0 ? 'danger' : days <= 7 ? 'warning' : 'neutral'}>{t.daysLeft(days)}</Badge>
}
