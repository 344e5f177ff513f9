import { useQuery } from '@tanstack/react-query'
import { useEffect, type ReactNode } from 'react'
import { checkFunction } from '../../contract/common.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { prefetch, recordQuery } from '../api/query.ts'
import { showForbidden } from '../api/error-handling.ts'
import { LoadFailed } from '../forms/load-failed.tsx'
import { usePortalMessages } from '../language.tsx'
import { Page } from '../ui/card.tsx'

// Asked anew with every visit: it may have been granted or revoked since the last.
const check = (functionName: FunctionName) => recordQuery(checkFunction, { functionName })

/** Asks for a page's function while the page is on its way. */
export function prefetchCheck(name: FunctionName): Promise<void> {
  return prefetch(check(name))
}

interface Props {
  /** The function that the page needs. */
  name: FunctionName
  title: keyof Messages['titles']
  children: ReactNode
}

/**
 * A page that is shown to holders of its function; a 400 says so and leads to / (rules/frame#function-pages). The
 * calls behind it are refused anyway; this is only what the person sees.
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
