import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { deletePartner, listPartners } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import type { useBusy } from '../../forms/use-busy.tsx'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'

interface FormAround {
  allowLeave: () => void
  during: ReturnType<typeof useBusy>['during']
}

/**
 * Deleting a partner: refuses what is known to be in use, asks, then tells a failure in place
 * (rules/partners#delete-partner).
 */
export function useRemoval(code: string, { allowLeave, during }: FormAround) {
  const t = usePortalMessages().partners.detail
  const navigate = useNavigate()
  const [error, setError] = useState<string>()

  /** @param users what refers to the partner, in words, as far as it is known here; the server looks again */
  async function ask(users: readonly string[]): Promise<void> {
    if (users.length > 0) return setError(t.inUse(users.join(', ')))
    const message = t.removeText(code)
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    setError(undefined)
    try {
      await during(t.removing, () => call(deletePartner, { partnerCode: code }, { inline: 'serverFailure' }))
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      if (!failure.isHandled) setError(failure.isServerFailure ? t.removeFailed : failure.msg)
      return
    }
    void invalidate(listPartners)
    allowLeave()
    await navigate({ to: '/partner/search' })
  }

  return { ask, error }
}
