import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import type { DialogProps } from './dialog.tsx'
import { dialogs } from './dialogs.ts'

/** Loads the code of dialogs, which is not part of the first load. */
export const loadDialogs = () => import('./dialog.tsx')
/** The dialog of `dialog.tsx`; `NotLoaded` if its code cannot be loaded. */
const LoadedDialog = lazy<ComponentType<DialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.Dialog }),
    () => ({ default: NotLoaded }),
  ),
)

/**
 * Closes the dialog and shows an alert, because the code of dialogs could not be loaded. The screen keeps its input.
 */
function NotLoaded({ onClose }: DialogProps) {
  useEffect(() => {
    void dialogs.notLoaded()
    onClose()
    // Once, whatever its owner renders meanwhile.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return null
}

/**
 * Shows the modal dialog of `dialog.tsx`, whose code loads when it opens. If it cannot be loaded, an alert says so, and
 * `onClose` is called.
 */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
