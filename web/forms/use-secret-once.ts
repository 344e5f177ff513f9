import { useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useCloseGuard, useLeaveGuard } from './use-leave-guard.ts'

/**
 * Manages a dialog that shows a secret once. Closing the dialog or leaving the page asks first, until the user has
 * copied the secret or the caller has called `keep` (rules/account#shown-once).
 * @returns `close` for the dialog; `copy`, which copies the secret and shows the result; and `keep`, to call when
 * the secret was stored otherwise
 */
export function useSecretOnce(secret: string, onClose: () => void) {
  const { forms: t } = usePortalMessages()
  const [isKept, setKept] = useState(false)
  const close = useCloseGuard(!isKept, onClose, false, t.secretCloseText)
  useLeaveGuard(!isKept, t.secretCloseText)

  /** Copies the secret, and shows a toast, or an alert if the browser does not allow it. */
  async function copy(): Promise<void> {
    if (await copyText(secret, t)) setKept(true)
  }

  return { copy: () => void copy(), close, keep: () => setKept(true) }
}
