import { useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useCloseGuard, useLeaveGuard } from './use-leave-guard.ts'

/**
 * Manages a dialog that shows a secret once. Until the user has copied it or the caller has called `keep`, closing the
 * dialog or leaving the page asks first (rules/account#shown-once).
 * @returns `close` for the dialog, `copy`, which reports its result, and `keep` for a secret that was stored otherwise
 */
export function useSecretOnce(secret: string, onClose: () => void) {
  const { forms: t } = usePortalMessages()
  const [isKept, setKept] = useState(false)
  const close = useCloseGuard(!isKept, onClose, false, t.secretCloseText)
  useLeaveGuard(!isKept, t.secretCloseText)

  async function copy(): Promise<void> {
    if (await copyText(secret, t)) setKept(true)
  }

  return { copy: () => void copy(), close, keep: () => setKept(true) }
}
