import { lazy, Suspense, useEffect, useSyncExternalStore, type ComponentType } from 'react'
import { onConfirmationChange, openConfirmation } from '../api/confirmation.ts'
import { dialogs } from '../ui/dialogs.ts'

/** What the dialog tells: whether the person confirmed. */
export interface ConfirmationProps {
  finish: (isConfirmed: boolean) => void
}

// Rare, and no part of a first load.
const ConfirmPassword = lazy<ComponentType<ConfirmationProps>>(() =>
  import('./confirm-password.tsx').then(
    (module) => ({ default: module.ConfirmPassword }),
    () => ({ default: NotLoaded }),
  ),
)

/** Shows the question for the password over whatever is on the screen (rules/account#confirmation): a part of the late frame. */
export function Confirmation() {
  const asked = useSyncExternalStore(onConfirmationChange, openConfirmation)
  if (asked === undefined) return null
  return (
    <Suspense>
      <ConfirmPassword finish={asked.finish} />
    </Suspense>
  )
}

function NotLoaded({ finish }: ConfirmationProps) {
  useEffect(() => {
    finish(false)
    void dialogs.notLoaded()
  }, [finish])
  return null
}
