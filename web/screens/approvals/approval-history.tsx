import { useQuery } from '@tanstack/react-query'
import { listRequestsOfUser, REQUEST_STATE } from '../../../contract/approvals.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { query } from '../../api/query.ts'
import { useTellRefusal } from '../../forms/refusal.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable, type DataColumn } from '../../ui/data-table.tsx'
import styles from './approvals.module.css'

type Request = OutputOf<typeof listRequestsOfUser>['REQUEST_LIST'][number]

const TONES = {
  [REQUEST_STATE.waiting]: 'info',
  [REQUEST_STATE.approved]: 'positive',
  [REQUEST_STATE.refused]: 'danger',
} as const

/** On the page of a user: who asked for the account, who decided, when and why (issue 4). */
export function ApprovalHistory({ userId }: { userId: string }) {
  const { approvals: t, lists } = usePortalMessages()
  const requests = useQuery({ ...query(listRequestsOfUser, { USER_ID: userId }), gcTime: 0 })
  useTellRefusal(requests.error)
  const rows = requests.data?.REQUEST_LIST ?? []
  return (
    <Card title={t.historyTitle}>
      <DataTable
        label={t.historyTitle}
        columns={useColumns()}
        rows={rows}
        getRowKey={(row) => row.REQUEST_ID}
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
      key: 'REQUEST_DATETIME',
      header: headers.REQUEST_DATETIME,
      render: (row) => row.REQUEST_DATETIME.slice(0, 16),
      isRowHeader: true,
      width: 156,
    },
    { key: 'USER_ID', header: headers.USER_ID, render: (row) => row.USER_ID, width: 156 },
    {
      key: 'STATE',
      header: headers.STATE,
      render: ({ STATE }) => <Badge tone={TONES[STATE]}>{states[STATE]}</Badge>,
      width: 116,
      align: 'center',
    },
    {
      key: 'DECIDER',
      header: headers.DECIDER,
      render: (row) => (row.DECIDER_ID === '' ? '-' : `${row.DECIDER_NAME} (${row.DECIDER_ID})`),
      width: 210,
    },
    {
      key: 'DECISION_DATETIME',
      header: headers.DECISION_DATETIME,
      render: (row) => row.DECISION_DATETIME.slice(0, 16) || '-',
      width: 156,
    },
    {
      key: 'REASON',
      header: headers.REASON,
      render: (row) => (row.REASON === '' ? '-' : <span className={styles.reason}>{row.REASON}</span>),
    },
  ]
}
