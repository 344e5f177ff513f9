import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listRequestsOfUser, REQUEST_STATE } from '../../../contract/approvals.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import { recordQuery } from '../../api/query.ts'
import { useShowRefusal } from '../../forms/show-refusal-on-field.ts'
import { usePortalMessages } from '../../language.tsx'
import { columnsOf, minuteOf } from '../../lists/columns.ts'
import { QueryTable } from '../../lists/query-table.tsx'
import type { ListColumn } from '../../lists/use-columns.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { PersonName } from '../users/record/person-name.tsx'
import styles from './approvals.module.css'

/** A request of the user, decided or not. */
type Request = OutputOf<typeof listRequestsOfUser>['requests'][number]

/** Tone of the badge for the state of a request. */
const TONES = {
  [REQUEST_STATE.waiting]: 'info',
  [REQUEST_STATE.approved]: 'positive',
  [REQUEST_STATE.refused]: 'danger',
  [REQUEST_STATE.withdrawn]: 'neutral',
} as const

/**
 * Shows a card with all requests of a user for the account or another affiliation: their state, decider, times and
 * reason (rules/approvals#approval-history). While one is open, a link leads to the open requests.
 */
export function ApprovalHistory({ userId }: { userId: string }) {
  const t = usePortalMessages().approvals
  const requests = useQuery(recordQuery(listRequestsOfUser, { userId }))
  useShowRefusal(requests.error)
  const isWaiting = requests.data?.requests.some(({ state }) => state === REQUEST_STATE.waiting) === true
  return (
    <Card
      title={t.historyTitle}
      actions={
        isWaiting && (
          <Link to="/user/approval" search={{ keyword: userId }}>
            {t.toRequests}
          </Link>
        )
      }
    >
      <QueryTable
        query={requests}
        texts={{
          results: t.historyTitle,
          loading: t.historyLoading,
          empty: t.historyEmpty,
          failed: t.historyFailed,
        }}
        columns={useColumns()}
        rows={requests.data?.requests ?? []}
        getRowKey={(row) => row.requestId}
        leastRows={1}
      />
    </Card>
  )
}

/** Returns the columns of the table of requests. */
function useColumns(): ListColumn<Request>[] {
  const t = usePortalMessages().approvals
  const { historyColumns: headers, states } = t
  const { text, column } = columnsOf<Request, keyof typeof headers>(headers)
  return [
    column('requestedAt', (row) => minuteOf(row.requestedAt), { isRowHeader: true, width: 156 }),
    text('userId', { width: 156 }),
    column('kind', ({ affiliationName, newAffiliationName }) =>
      newAffiliationName === undefined ? t.kinds.account : t.from(affiliationName ?? '', newAffiliationName),
    ),
    column('state', ({ state }) => <Badge tone={TONES[state]}>{states[state]}</Badge>, {
      width: 116,
      align: 'center',
    }),
    column('decider', (row) => <Decider {...row} />, { width: 210 }),
    column('decidedAt', (row) => minuteOf(row.decidedAt) || '-', { width: 156 }),
    column('reason', ({ reason }) => (reason === '' ? '-' : <span className={styles.reason}>{reason}</span>)),
  ]
}

/** Shows name and ID of the user who decided a request; '-' if it is open or that account no longer exists. */
function Decider({ deciderId, deciderName }: Pick<Request, 'deciderId' | 'deciderName'>) {
  if (deciderId === '') return '-'
  return (
    <span title={`${deciderName} (${deciderId})`}>
      <PersonName userId={deciderId} name={deciderName} /> ({deciderId})
    </span>
  )
}
