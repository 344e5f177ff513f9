import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import type { AlertDialogProps, ConfirmDialogProps } from './dialog.tsx'
import { loadDialogs } from './lazy-dialog.tsx'
import { PlainAlert, PlainConfirm } from './plain-dialog.tsx'
import { restoreFocus, useFirstDialog } from './dialogs.ts'

// If the server is unavailable before the dialogs are loaded, the browser's dialogs are used instead.
const AlertDialog = lazy<ComponentType<AlertDialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.AlertDialog }),
    () => ({ default: PlainAlert }),
  ),
)
const ConfirmDialog = lazy<ComponentType<ConfirmDialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.ConfirmDialog }),
    () => ({ default: PlainConfirm }),
  ),
)

/** The words of buttons whose dialog brings none of its own. */
interface DialogLabels {
  /** The one button of an alert, 확인. */
  confirm: string
  /** Message of an alert without a text. */
  notLoaded: string
  yes: string
  no: string
}

/** Shows the dialogs of `dialogs`. One per page, at its root. */
export function DialogHost({ labels }: { labels: DialogLabels }) {
  const dialog = useFirstDialog()

  useEffect(() => {
    // Not part of the first load: loaded when the user starts to use the page, before a dialog can be needed.
    const start = () => void loadDialogs().catch(() => {})
    const once = { once: true }
    window.addEventListener('pointerdown', start, once)
    window.addEventListener('keydown', start, once)
    return () => {
      window.removeEventListener('pointerdown', start)
      window.removeEventListener('keydown', start)
    }
  }, [])

  const isOpen = dialog !== undefined
  useEffect(() => {
    if (!isOpen) return
    // A little later, because react-aria does its own part in the next frame.
    return () => void setTimeout(restoreFocus, 60)
  }, [isOpen])

  if (!dialog) return null
  const { finish } = dialog
  return (
    <Suspense>
      {dialog.kind === 'alert' ? (
        <AlertDialog
          key={dialog.id}
          {...dialog.options}
          message={dialog.options.message ?? labels.notLoaded}
          confirmLabel={dialog.options.confirmLabel ?? labels.confirm}
          onClose={() => finish(true)}
        />
      ) : (
        <ConfirmDialog
          key={dialog.id}
          {...dialog.options}
          yesLabel={dialog.options.yesLabel ?? labels.yes}
          noLabel={dialog.options.noLabel ?? labels.no}
          onYes={() => finish(true)}
          onNo={() => finish(false)}
        />
      )}
    </Suspense>
  )
}
