import { lazy, Suspense, useEffect, type ComponentType, type ReactNode } from 'react'
import type { AlertDialogProps, ConfirmDialogProps } from './dialog.tsx'
import { loadDialogs } from './lazy-dialog.tsx'
import { restoreFocus, useFirstDialog } from './dialogs.ts'

/** The alert, whose code loads with the first dialog. If it cannot be loaded, the browser's own dialog. */
const AlertDialog = lazy<ComponentType<AlertDialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.AlertDialog }),
    () => ({ default: PlainAlert }),
  ),
)
/** The yes-or-no question, loaded like `AlertDialog`. */
const ConfirmDialog = lazy<ComponentType<ConfirmDialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.ConfirmDialog }),
    () => ({ default: PlainConfirm }),
  ),
)

/** Default labels of dialogs that do not set their own. */
interface DialogLabels {
  /** The one button of an alert, 확인. */
  confirm: string
  /** Message of an alert without a text. */
  notLoaded: string
  yes: string
  no: string
}

/**
 * Shows the first queued dialog of `dialogs`, with the browser's own dialogs if the code cannot be loaded, and restores
 * the focus afterwards. Use one per page, at its root.
 */
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

/** Returns a message as text for the browser's own dialogs; '' if it is not text. */
function textOf(message: ReactNode): string {
  return typeof message === 'string' || typeof message === 'number' ? String(message) : ''
}

/** Shows an alert with the browser's own dialog, if the code of dialogs cannot be loaded. */
function PlainAlert({ message, onClose }: { message?: ReactNode; onClose: () => void }) {
  useEffect(() => {
    window.alert(textOf(message))
    onClose()
  })
  return null
}

/** The question and its two results. */
interface PlainConfirmProps {
  title: string
  message: ReactNode
  onYes: () => void
  onNo: () => void
}

/** Shows a yes-or-no question with the browser's own dialog, if the code of dialogs cannot be loaded. */
function PlainConfirm({ title, message, onYes, onNo }: PlainConfirmProps) {
  useEffect(() => {
    if (window.confirm(`${title}\n\n${textOf(message)}`)) onYes()
    else onNo()
  })
  return null
}
