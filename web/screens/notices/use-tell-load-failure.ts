import { useEffect, useEffectEvent } from 'react'
import { CallError } from '../../api/call-error.ts'
import { portalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'

/**
 * 'failed to load data', then back to the list (rules/notices#notice-detail). What the shared handling told has a way
 * of its own, and a server that is away is left to the screen, which says so with a retry.
 */
export function useTellLoadFailure(failure: CallError | null, afterwards: () => void): void {
  const goOn = useEffectEvent(afterwards)
  useEffect(() => {
    if (!failure || failure.isUnavailable || failure.isHandled) return
    void dialogs
      .alert({ title: portalMessages().notices.loadFailed, message: failure.msg })
      .then(() => goOn())
  }, [failure])
}
