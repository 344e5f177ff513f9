import { useQuery } from '@tanstack/react-query'
import { listRequestsOfUser, REQUEST_STATE } from '../../../contract/approvals.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import styles from './approvals.module.css'

type Request = OutputOf<typeof listRequestsOfUser>['requests'][number]

const TONES = {
  [REQUEST_STATE.waiting]: 'info',
  [REQUEST_STATE.approved]: 'positive',
  [REQUEST_STATE.refused]: 'danger',
} as const

/** On the page of a user: who asked for the account, who decided, when and why (rules/approvals#approval-history). */
export function ApprovalHistory({ userId }: { userId: string }) {
  const { approvals: t, lists } = usePortalMessages()
  const requests = useQuery({ ...query(listRequestsOfUser, { userId }), gcTime: 0 })
  useShowRefusal(requests.error)
  const rows = requests.data?.requests ?? []
  return (
    <Card title={t.historyTitle}>
      <DataTable
        label={t.historyTitle}
        columns={useColumns()}
        rows={rows}
        getRowKey={(row) => row.requestId}
        state={requests.isError ? 'error' : requests.isFetching ? 'loading' : 'ready'}
        rowCount={Math.max(rows.length, 1)}
        loadingLabel={t.historyLoading}
        empty={t.historyEmpty}
        error={t.historyFailed}
        retryLabel={lists.retry}
        onRetry={() => void requests.refetch()}
      />
    </Card>
  )
}

function useColumns(): readonly DataColumn<Request>[] {
  const { historyColumns: headers, states } = usePortalMessages().approvals
  return [
    {
      key: 'requestedAt',
      header: headers.requestedAt,
      render: (row) => row.requestedAt.slice(0, 16),
      isRowHeader: true,
      width: 156,
    },
    { key: 'userId', header: headers.userId, render: (row) => row.userId, width: 156 },
    {
      key: 'state',
      header: headers.state,
      render: ({ state }) => <Badge tone={TONES[state]}>{states[state]}</Badge>,
      width: 116,
      align: 'center',
    },
    {
      key: 'DECIDER',
      header: headers.DECIDER,
      render: (row) => (row.deciderId === '' ? '-' : `${row.deciderName} (${row.deciderId})`),
      width: 210,
    },
    {
      key: 'decidedAt',
      header: headers.decidedAt,
      render: (row) => row.decidedAt.slice(0, 16) || '-',
      width: 156,
    },
    {
      key: 'reason',
      header: headers.reason,
      render: (row) => (row.reason === '' ? '-' : <span className={styles.reason}>{row.reason}</span>),
    },
  ]
}
