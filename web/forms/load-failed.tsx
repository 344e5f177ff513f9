import type { UseQueryResult } from '@tanstack/react-query'
import { usePortalMessages } from '../language.tsx'
import { ErrorState } from '../ui/states.tsx'

interface Props {
  query: Pick<UseQueryResult, 'isFetching' | 'refetch'>
  message: string
}

/** In place of what could not be loaded, with a retry. */
export function LoadFailed({ query, message }: Props) {
  return (
    <ErrorState
      message={message}
      retryLabel={usePortalMessages().frame.retry}
      onRetry={() => void query.refetch()}
      isPending={query.isFetching}
    />
  )
}
