import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { deletePartner, listPartners } from '../../../contract/partners.ts'
import { CallError } from '../../api/call-error.ts'
import { call } from '../../api/client.ts'
import { invalidate } from '../../api/query.ts'
import { usePortalMessages } from '../../language.tsx'
import { dialogs } from '../../ui/dialogs.ts'

/** Deleting a partner: asks first, then tells a failure in place (rules/partners#delete-partner). */
export function useRemoval(code: string, allowLeave: () => void) {
  const t = usePortalMessages().partners.detail
  const navigate = useNavigate()
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()

  async function ask(): Promise<void> {
    const message = t.removeText(code)
    if (!(await dialogs.confirm({ title: t.removeTitle, message, isDanger: true }))) return
    setError(undefined)
    setPending(true)
    try {
      await call(deletePartner, { partnerCode: code }, { inline: 'unavailable' })
    } catch (failure) {
      if (!(failure instanceof CallError)) throw failure
      flushSync(() => setPending(false))
      // The shared handling leads away from a 401, 403 or 500: no question on the way.
      if (failure.isHandled) allowLeave()
      else setError(failure.isUnavailable ? t.removeFailed : failure.msg)
      return
    }
    void invalidate(listPartners)
    allowLeave()
    await navigate({ to: '/partner/search' })
  }

  return { ask, isPending, error }
}
