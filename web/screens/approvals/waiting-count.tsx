import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listRequests } from '../../../contract/approvals.ts'
import { query } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import styles from './approvals.module.css'

/** On home, for those who may approve: how many requests wait, leading to them. */
export function WaitingCount() {
  const { approvals: t, lists } = usePortalMessages()
  const requests = useQuery(query(listRequests, { page: 1, perPage: 1 }))
  const count = requests.data?.totalCount
  if (count === undefined) {
    if (!requests.isError) return null
    return (
      <span className={styles.countFailed} role="alert">
        {t.waitingFailed}
        <Button size="small" onClick={() => void requests.refetch()} isPending={requests.isFetching}>
          {lists.retry}
        </Button>
      </span>
    )
  }
  return (
    <Link className={styles.count} to="/user/approval">
      {t.waiting}
      <Badge tone={count > 0 ? 'warning' : 'neutral'}>{t.waitingCount(count.toLocaleString())}</Badge>
    </Link>
  )
}
