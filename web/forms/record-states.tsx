import type { UseQueryResult } from '@tanstack/react-query'
import { Card } from '../ui/card.tsx'
import { LoadFailed } from './load-failed.tsx'
import styles from './record-states.module.css'

interface Props {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  /** Heading of the card that is loading. */
  title: string
  loading: string
  failed: string
}

/** Shown instead of the form while its record is loading, or if loading failed. */
export function RecordStates({ query, title, loading, failed }: Props) {
  return (
    <Card title={title}>
      <div className={styles.place}>
        {query.isError ? (
          <LoadFailed query={query} message={failed} />
        ) : (
          <output className={styles.loading}>{loading}</output>
        )}
      </div>
    </Card>
  )
}
