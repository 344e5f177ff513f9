import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { ENDING, ENDING_PER_PAGE, extendUser, liftSuspension, listEnding } from '../../../contract/users.ts'
import { invalidate, query, useCall } from '../../api/query.ts'
import { tellRefusal } from '../../api/tell-refusal.ts'
import { useTellRefusal } from '../../forms/refusal.ts'
import { FunctionGate } from '../../frame/function-gate.tsx'
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

type Row = OutputOf<typeof listEnding>['DATA'][number]
type State = (typeof ENDING)[keyof typeof ENDING]

/** /user/validity (issue 4), for holders of `autho_user_manage`. */
export function Validity() {
  return (
    <FunctionGate name="autho_user_manage" title={usePortalMessages().frame.titles.userValidity}>
      <Accounts />
    </FunctionGate>
  )
}

/** The accounts that end soon and those that are suspended, each mended by one click. */
function Accounts() {
  const { frame, users, lists } = usePortalMessages()
  const t = users.validity
  const navigate = useNavigate()
  const [{ state, page }, setSearch] = useState<{ state: State; page: number }>({
    state: ENDING.ending,
    page: 1,
  })
  const accounts = useQuery({
    ...query(listEnding, { STATE: state, PAGE: page, PER_PAGE: ENDING_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  const extend = useCall(extendUser)
  const lift = useCall(liftSuspension)
  useTellRefusal(accounts.error)
  const total = accounts.data?.TOTAL_COUNT
  const pageCount = Math.ceil((total ?? 0) / ENDING_PER_PAGE)
  // The last row of the last page was mended.
  if (accounts.isSuccess && !accounts.isFetching && pageCount > 0 && page > pageCount) {
    setSearch({ state, page: pageCount })
  }

  const onExtend = (row: Row) =>
    void change(async () => {
      const { USER_ID, EXPIRY_DATETIME_END } = row
      const answer = await extend.mutateAsync({ USER_ID, EXPIRY_DATETIME_END })
      return t.extended(row.NAME, answer.EXPIRY_DATETIME_END)
    })
  const onLift = (row: Row) =>
    void change(async () => {
      await lift.mutateAsync({ USER_ID: row.USER_ID })
      return t.lifted(row.NAME)
    })

  const isSuspended = state === ENDING.suspended
  return (
    <Page
      title={frame.titles.userValidity}
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
        rows={accounts.data?.DATA ?? []}
        getRowKey={(row) => row.USER_ID}
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
          void navigate({ to: '/user/detail', state: { userId: row.USER_ID } })
        }}
        rowActionLabel={(row) => t.open(row.NAME)}
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
    await tellRefusal(error)
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
    { key: 'NO', header: t.columns.NO, render: (row) => row.NO, width: 72, align: 'center' },
    { key: 'NAME', header: t.columns.NAME, render: (row) => row.NAME, isRowHeader: true },
    { key: 'USER_ID', header: t.columns.USER_ID, render: (row) => row.USER_ID, width: 170 },
    { key: 'BELONGTO', header: t.columns.BELONGTO, render: (row) => row.BELONGTO, width: 150 },
    {
      key: 'LAST_LOGIN',
      header: t.columns.LAST_LOGIN,
      render: (row) => row.LAST_LOGIN_DATETIME.slice(0, 10) || t.never,
      width: 130,
    },
    {
      key: 'END',
      header: t.columns.END,
      render: (row) => row.EXPIRY_DATETIME_END || t.noEnd,
      width: 140,
    },
    isSuspended
      ? {
          key: 'SUSPENDED',
          header: t.columns.SUSPENDED,
          render: (row) => row.SUSPENDED_DATETIME.slice(0, 10),
          width: 120,
        }
      : {
          key: 'LEFT',
          header: t.columns.LEFT,
          render: ({ DAYS_LEFT: days }) =>
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
  // Nobody decides about the own validity (decisions §5).
  if (row.MY_PAGE === 'Y') return <span className={layout.hint}>{t.own}</span>
  if (isSuspended) {
    return (
      <Button size="small" aria-label={t.liftOf(row.NAME)} onClick={() => onLift(row)}>
        {t.lift}
      </Button>
    )
  }
  return (
    <Button
      size="small"
      aria-label={t.extendOf(row.NAME, row.EXTENDED_END)}
      title={t.extendTo(row.EXTENDED_END)}
      onClick={() => onExtend(row)}
    >
      {t.extend}
    </Button>
  )
}
