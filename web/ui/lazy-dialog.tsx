import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import type { DialogProps } from './dialog.tsx'
import { dialogs } from './dialogs.ts'

/** The dialogs, which are no part of a first load: fetched when a person begins to use the page. */
export const loadDialogs = () => import('./dialog.tsx')
const LoadedDialog = lazy<ComponentType<DialogProps>>(() =>
  loadDialogs().then(
    (module) => ({ default: module.Dialog }),
    () => ({ default: NotLoaded }),
  ),
)

/** Closes again and says why: the screen behind it stays, with what was typed. */
function NotLoaded({ onClose }: DialogProps) {
  useEffect(() => {
    void dialogs.notLoaded()
    onClose()
    // Once, whatever its owner renders meanwhile.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return null
}

/** A modal dialog: holds the focus, closes with Esc, gives the focus back. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
