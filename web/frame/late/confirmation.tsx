import { useSyncExternalStore } from 'react'
import { onConfirmationChange, openConfirmation } from '../../api/confirmation.ts'
import { ConfirmPassword } from './confirm-password.tsx'

/** Shows the question for the password over whatever is on the screen (rules/account#confirmation). One per page. */
export function Confirmation() {
  const asked = useSyncExternalStore(onConfirmationChange, openConfirmation)
  return asked && <ConfirmPassword finish={asked.finish} />
}
