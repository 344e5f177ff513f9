import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { ENDING, ENDING_PER_PAGE, extendUser, liftSuspension, listEnding } from '../../../contract/users.ts'
import { invalidate, prefetch, query, useCall } from '../../api/query.ts'
import { showRefusal } from '../../api/show-refusal.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { Segmented } from '../../frame/segmented.tsx'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import { dialogs } from '../../ui/dialogs.ts'
import { Pager } from '../../ui/pager.tsx'
import { forgetSearch } from './search-memory.ts'
import layout from '../../ui/layout.module.css'
import styles from './validity.module.css'

type Row = OutputOf<typeof listEnding>['users'][number]
type State = (typeof ENDING)[keyof typeof ENDING]

const endingQuery = (state: State, page: number) =>
  query(listEnding, { state, page, perPage: ENDING_PER_PAGE })

/** Asks for the accounts that end soon. */
export function load(): void {
  void prefetch(endingQuery(ENDING.ending, 1))
}

/**
 * /user/validity (rules/users#ending-accounts): the accounts that end soon and those that are suspended, each mended by
 * one click.
 */
export default function Validity() {
  const { titles, users, lists } = usePortalMessages()
  const t = users.validity
  const navigate = useNavigate()
  const [{ state, page }, setSearch] = useState<{ state: State; page: number }>({
    state: ENDING.ending,
    page: 1,
  })
  const accounts = useQuery({ ...endingQuery(state, page), placeholderData: keepPreviousData })
  const extend = useCall(extendUser)
  const lift = useCall(liftSuspension)
  useShowRefusal(accounts.error)
  const total = accounts.data?.totalCount
  const pageCount = Math.ceil((total ?? 0) / ENDING_PER_PAGE)
  // The last row of the last page was mended.
  if (accounts.isSuccess && !accounts.isFetching && pageCount > 0 && page > pageCount) {
    setSearch({ state, page: pageCount })
  }

  const onExtend = (row: Row) =>
    void change(async () => {
      const { userId, validTo } = row
      const answer = await extend.mutateAsync({ userId, validTo })
      return t.extended(row.name, answer.validTo)
    })
  const onLift = (row: Row) =>
    void change(async () => {
      await lift.mutateAsync({ userId: row.userId })
      return t.lifted(row.name)
    })

  const isSuspended = state === ENDING.suspended
  return (
    <Page
      title={titles.userValidity}
      actions={
        <Segmented
          label={t.which}
          value={state}
          segments={[
            { value: ENDING.ending, label: t.ending },
            { value: ENDING.suspended, label: t.suspended },
          ]}
          onChange={(value) => setSearch({ state: value, page: 1 })}
        />
      }
    >
      <p className={styles.lead}>
        {isSuspended ? t.suspendedLead : t.lead}{' '}
        <output>{total !== undefined && t.total(total.toLocaleString())}</output>
      </p>
      <DataTable
        label={isSuspended ? t.suspended : t.ending}
        columns={useColumns(isSuspended, onExtend, onLift)}
        rows={accounts.data?.users ?? []}
        getRowKey={(row) => row.userId}
        state={accounts.isFetching ? 'loading' : accounts.isError ? 'error' : 'ready'}
        rowCount={ENDING_PER_PAGE}
        loadingLabel={t.loading}
        empty={isSuspended ? t.emptySuspended : t.emptyEnding}
        error={t.failed}
        retryLabel={lists.retry}
        onRetry={() => void accounts.refetch()}
        onRowAction={(row) => {
          // 'Back' of the detail leads to the search, which begins afresh.
          forgetSearch()
          void navigate({ to: '/user/detail', state: { userId: row.userId } })
        }}
        rowActionLabel={(row) => t.open(row.name)}
      />
      <Pager
        page={page}
        pageCount={pageCount}
        onChange={(next) => setSearch({ state, page: next })}
        labels={lists.pager}
      />
    </Page>
  )
}

/** Makes a change, says so or why not, and reads the list again either way. */
async function change(work: () => Promise<string>): Promise<void> {
  try {
    await dialogs.alert({ tone: 'success', message: await work() })
  } catch (error) {
    await showRefusal(error)
  }
  await invalidate(listEnding)
}

function useColumns(
  isSuspended: boolean,
  onExtend: (row: Row) => void,
  onLift: (row: Row) => void,
): DataColumn<Row>[] {
  const t = usePortalMessages().users.validity
  return [
    {
      key: 'rowNumber',
      header: t.columns.rowNumber,
      render: (row) => row.rowNumber,
      width: 72,
      align: 'center',
    },
    { key: 'name', header: t.columns.name, render: (row) => row.name, isRowHeader: true },
    { key: 'userId', header: t.columns.userId, render: (row) => row.userId, width: 170 },
    {
      key: 'affiliationName',
      header: t.columns.affiliationName,
      render: (row) => row.affiliationName,
      width: 150,
    },
    {
      key: 'lastLogin',
      header: t.columns.lastLogin,
      render: (row) => row.lastLoginAt.slice(0, 10) || t.never,
      width: 130,
    },
    {
      key: 'END',
      header: t.columns.END,
      render: (row) => row.validTo || t.noEnd,
      width: 140,
    },
    isSuspended
      ? {
          key: 'suspended',
          header: t.columns.suspended,
          render: (row) => row.suspendedAt.slice(0, 10),
          width: 120,
        }
      : {
          key: 'LEFT',
          header: t.columns.LEFT,
          render: ({ daysLeft: days }) =>
            days !== null && (
              <Badge tone={days < 0 ? 'danger' : days <= 7 ? 'warning' : 'neutral'}>{t.daysLeft(days)}</Badge>
            ),
          width: 120,
          align: 'center',
        },
    {
      key: 'ACTION',
      header: t.columns.ACTION,
      render: (row) => <Action row={row} isSuspended={isSuspended} onExtend={onExtend} onLift={onLift} />,
      width: 150,
      align: 'center',
    },
  ]
}

interface ActionProps {
  row: Row
  isSuspended: boolean
  onExtend: (row: Row) => void
  onLift: (row: Row) => void
}

function Action({ row, isSuspended, onExtend, onLift }: ActionProps) {
  const t = usePortalMessages().users.validity
  // Nobody decides about their own validity (rules/roles#own-account).
  if (row.isOwn) return <span className={layout.hint}>{t.own}</span>
  if (isSuspended) {
    return (
      <Button size="small" aria-label={t.liftOf(row.name)} onClick={() => onLift(row)}>
        {t.lift}
      </Button>
    )
  }
  return (
    <Button
      size="small"
      aria-label={t.extendOf(row.name, row.extendedTo)}
      title={t.extendTo(row.extendedTo)}
      onClick={() => onExtend(row)}
    >
      {t.extend}
    </Button>
  )
}
