import type { UseQueryResult } from '@tanstack/react-query'
import { useMessages } from '../../language.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/States.tsx'
import styles from './record-states.module.css'

/** In place of the form while its record is on its way, or when it could not be loaded. */
export function RecordStates({
  query,
}: {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
}) {
  const t = useMessages().users.detail
  return (
    <Card title={t.basicInfo}>
      <div className={styles.place}>
        {query.isError ? (
          <ErrorState
            message={t.failed}
            retryLabel={t.retry}
            onRetry={() => void query.refetch()}
            isPending={query.isFetching}
          />
        ) : (
          <output className={styles.loading}>{t.loading}</output>
        )}
      </div>
    </Card>
  )
}
