import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { LoadFailed } from './load-error.tsx'
import { useShowRefusal } from './show-refusal-on-field.ts'
import styles from './record-states.module.css'

interface Props {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  /** Heading of the card that is loading. */
  title: string
  loading: string
  failed: string
}

/** Shows a card in place of a record's form: the text `loading`, or `failed` and a retry button after an error. */
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

interface LoadedProps<Saved> extends Props {
  query: Pick<UseQueryResult<Saved>, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>
  children: (record: Saved) => ReactNode
}

/**
 * Shows a record once it is loaded, and until then `RecordStates`. Shows a refusal of the read in an alert
 * (rules/frame#refusal). A failed later read keeps the loaded record.
 */
export function LoadedRecord<Saved>({ children, ...states }: LoadedProps<Saved>) {
  const { data, error } = states.query
  useShowRefusal(error)
  return data === undefined ? <RecordStates {...states} /> : children(data)
}
