import { lazy, Suspense, useEffect } from 'react'
import { restoreFocus, useFirstDialog } from './dialogs.ts'

const load = () => import('./Dialog.tsx')
const AlertDialog = lazy(async () => ({ default: (await load()).AlertDialog }))
const ConfirmDialog = lazy(async () => ({ default: (await load()).ConfirmDialog }))

/** The words of buttons whose dialog brings none of its own. */
export interface DialogLabels {
  /** The one button of an alert, 확인. */
  confirm: string
  yes: string
  no: string
}

/** Shows what `dialogs` raises. One per page, at its root. */
export function DialogHost({ labels }: { labels: DialogLabels }) {
  const dialog = useFirstDialog()

  useEffect(() => {
    // Fetched when the page has settled: an alert must come up even when the server has gone away since.
    const timer = setTimeout(() => void load().catch(() => {}), 1500)
    return () => clearTimeout(timer)
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
