import { useState } from 'react'
import { usePortalMessages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { showToast } from '../ui/toasts.ts'
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
    // Without TLS a browser gives pages no clipboard. The user can select the text instead.
    const isCopied = await navigator.clipboard?.writeText(secret).then(
      () => true,
      () => false,
    )
    if (!isCopied) return dialogs.alert({ tone: 'info', message: t.copyFailed })
    setKept(true)
    showToast(t.copied)
  }

  return { copy: () => void copy(), close, keep: () => setKept(true) }
}
