import { lazy, Suspense } from 'react'
import type { DialogProps } from './dialog.tsx'

/** The dialogs, which are no part of a first load: fetched when a person begins to use the page. */
export const loadDialogs = () => import('./dialog.tsx')
const LoadedDialog = lazy(async () => ({ default: (await loadDialogs()).Dialog }))

/** A modal dialog: holds the focus, closes with Esc, gives the focus back. */
export function Dialog(props: DialogProps) {
  return (
    <Suspense>
      <LoadedDialog {...props} />
    </Suspense>
  )
}
