import type { UseQueryResult } from '@tanstack/react-query'
import { usePortalMessages } from '../language.tsx'
import layout from '../ui/layout.module.css'
import { ErrorState } from '../ui/states.tsx'

interface FailedProps {
  query: Pick<UseQueryResult, 'isFetching' | 'refetch'>
  message: string
}

/** Shows an error and a retry button instead of content that could not be loaded. */
export function LoadFailed({ query, message }: FailedProps) {
  return (
    <ErrorState
      message={message}
      retryLabel={usePortalMessages().frame.retry}
      onRetry={() => void query.refetch()}
      isPending={query.isFetching}
    />
  )
}

interface StateProps {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'>
  loading: string
  failed: string
}

/** Shows the state of content that is loading or could not be loaded, in its place. */
export function LoadState({ query, loading, failed }: StateProps) {
  if (query.isError) return <LoadFailed query={query} message={failed} />
  return <output className={layout.quiet}>{loading}</output>
}
