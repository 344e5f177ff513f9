import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { checkFunction } from '../../contract/common.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { query } from '../api/query.ts'
import { useMessages } from '../language.tsx'
import { Page } from '../ui/card.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { ErrorState } from '../ui/states.tsx'

interface Props {
  /** The function that the page needs. */
  name: FunctionName
  title: string
  children: ReactNode
}

/**
 * A page that asks for its function before it is shown (rules/frame#function-pages): a 400 says so and goes to /. The
 * calls behind it are refused anyway; this is only what the person sees.
 */
export function FunctionGate({ name, title, children }: Props) {
  const t = useMessages().frame
  const navigate = useNavigate()
  // Asked anew with every visit: it may have been granted or revoked since the last.
  const check = useQuery({ ...query(checkFunction, { functionName: name }), gcTime: 0 })
  const isDenied = check.error?.code === 'FUNCTION_DENIED'
  const leave = useEffectEvent(async () => {
    await dialogs.alert({ message: t.noPermission })
    await navigate({ to: '/', replace: true })
  })
  useEffect(() => {
    if (isDenied) void leave()
  }, [isDenied])

  if (check.isSuccess) return children
  return (
    <Page title={title}>
      {check.error?.isUnavailable === true ? (
        <ErrorState
          message={t.functionFailed}
          retryLabel={t.retry}
          onRetry={() => void check.refetch()}
          isPending={check.isFetching}
        />
      ) : (
        <output className="visually-hidden">{check.isPending && t.functionChecking}</output>
      )}
    </Page>
  )
}
