import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { checkFunction } from '../../contract/common.ts'
import type { Messages } from '../../contract/messages/ko.ts'
import type { FunctionName } from '../../contract/permissions.ts'
import { prefetch, recordQuery } from '../api/query.ts'
import { tellDenied } from '../api/shared-handling.ts'
import { LoadFailed } from '../forms/load-failed.tsx'
import { usePortalMessages } from '../language.tsx'
import { isKnownToHold } from '../session.ts'
import { Page } from '../ui/card.tsx'

/** The function that a page needs, and another one that opens it as well. */
export type Functions = readonly [FunctionName, (FunctionName | undefined)?]

// Asked anew with every visit: it may have been granted or revoked since the last.
const check = (functionName: FunctionName) => recordQuery(checkFunction, { functionName })

/** Which is asked first: what the person held when last asked, so that one question is enough. */
function inTurn([one, other]: Functions): Functions {
  return other !== undefined && isKnownToHold(other) && !isKnownToHold(one) ? [other, one] : [one, other]
}

const isRefused = ({ error }: { error: { code: string } | null }) => error?.code === 'FUNCTION_DENIED'

/** Asks for a page's function while the page is on its way. */
export function prefetchCheck(names: Functions): Promise<void> {
  return prefetch(check(inTurn(names)[0]))
}

interface Props {
  names: Functions
  title: keyof Messages['titles']
  children: ReactNode
}

/**
 * A page that is shown to holders of its function, or of one of its functions; a 400 says so and leads to / (rules/frame#function-pages). The
 * calls behind it are refused anyway; this is only what the person sees.
 */
export function FunctionGate({ names, title, children }: Props) {
  const { frame: t, titles } = usePortalMessages()
  const [[first, second]] = useState(() => inTurn(names))
  const one = useQuery(check(first))
  const mayAskOther = second !== undefined && isRefused(one)
  const other = useQuery({ ...check(second ?? first), enabled: mayAskOther })
  const answer = mayAskOther ? other : one
  const isDenied = isRefused(answer)
  useEffect(() => {
    if (isDenied) tellDenied()
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
