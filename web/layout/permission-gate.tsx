import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { checkFunction } from '../../contract/common.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { prefetch, recordQuery } from '../api/query.ts'
import { showForbidden } from '../api/error-handling.ts'
import { LoadFailed } from '../forms/load-error.tsx'
import { usePortalMessages } from '../language.tsx'
import { Page } from '../ui/card.tsx'

/**
 * Returns the options of the query that checks a permission. It runs at every visit, because the permission may have
 * been granted or revoked since the last one.
 */
const check = (functionName: FunctionName) => recordQuery(checkFunction, { functionName })

/** Prefetches the permission of a page while the page is loading. */
export function prefetchCheck(name: FunctionName): Promise<void> {
  return prefetch(check(name))
}

interface Props {
  /** The permission that the page requires. */
  name: FunctionName
  title: keyof Messages['titles']
  children: ReactNode
}

/**
 * Shows a page only to users with its permission. Shows the title while it is checked, a retry if the server failed,
 * and for a missing permission an alert, with a redirect to / (rules/frame#function-pages). The server refuses the
 * calls of the page anyway; this only affects what the user sees.
 */
export function FunctionGate({ name, title, children }: Props) {
  const { frame: t, titles } = usePortalMessages()
  const answer = useQuery(check(name))
  const isDenied = answer.error?.code === 'FUNCTION_DENIED'
  useEffect(() => {
    if (isDenied) showForbidden()
  }, [isDenied])

  if (answer.isSuccess) return children
  return (
    <Page title={titles[title]}>
      {answer.error?.isServerFailure === true ? (
        <LoadFailed query={answer} message={t.functionFailed} />
      ) : (
        <output className="visually-hidden">{answer.isPending && t.functionChecking}</output>
      )}
    </Page>
  )
}
