import type { UseQueryResult } from '@tanstack/react-query'
import { usePortalMessages } from '../language.tsx'
import layout from '../ui/layout.module.css'
import { ErrorState } from '../ui/states.tsx'

interface FailedProps {
  query: Pick<UseQueryResult, 'isFetching' | 'refetch'>
  message: string
}

/**
 * Shows `message` and a retry button in place of content that could not be loaded. The button runs `query` again. The
 * error of the query itself is not shown.
 */
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

/** Shows the text `loading` in place of content that is loading, or `failed` and a retry button after an error. */
export function LoadState({ query, loading, failed }: StateProps) {
  if (query.isError) return <LoadFailed query={query} message={failed} />
  return <output className={layout.quiet}>{loading}</output>
}
