import { useSyncExternalStore } from 'react'
import { onConfirmationChange, openConfirmation } from '../../api/confirmation.ts'
import { ConfirmUser } from './confirm-user.tsx'

/** Shows the question for the password or the second factor over whatever is on the screen (rules/account#confirmation). One per page. */
export function Confirmation() {
  const asked = useSyncExternalStore(onConfirmationChange, openConfirmation)
  return asked && <ConfirmUser finish={asked.finish} />
}
