import type { UseQueryResult } from '@tanstack/react-query'
import { useMessages } from '../language.tsx'
import { Card } from '../ui/card.tsx'
import { ErrorState } from '../ui/states.tsx'
import styles from './record-states.module.css'

interface Props {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  /** The heading of the card that comes. */
  title: string
  loading: string
  failed: string
}

/** In place of the form while its record is on its way, or when it could not be loaded. */
export function RecordStates({ query, title, loading, failed }: Props) {
  const { retry } = useMessages().lists
  return (
    <Card title={title}>
      <div className={styles.place}>
        {query.isError ? (
          <ErrorState
            message={failed}
            retryLabel={retry}
            onRetry={() => void query.refetch()}
            isPending={query.isFetching}
          />
        ) : (
          <output className={styles.loading}>{loading}</output>
        )}
      </div>
    </Card>
  )
}
