import { createListeners } from '../listeners.ts'

/** A pending reauthentication of the user: its result, and the function by which the dialog ends it. */
interface PendingConfirmation {
  answered: Promise<boolean>
  finish: (isConfirmed: boolean) => void
}

/** The pending reauthentication; undefined if there is none. */
let asked: PendingConfirmation | undefined
const { subscribe, notify } = createListeners()

/** Registers a function that is called when a reauthentication starts or ends; for its dialog. */
export const onConfirmationChange = subscribe

/** Returns the pending reauthentication, for its dialog; undefined if there is none. */
export const pendingConfirmation = (): PendingConfirmation | undefined => asked

/**
 * Asks the user to reauthenticate, in a dialog (rules/account#confirmation). Concurrent calls share one dialog.
 * @returns true after a reauthentication; false if the user cancels or the session has ended
 */
export function askToConfirm(): Promise<boolean> {
  if (asked !== undefined) return asked.answered
  let settle: (isConfirmed: boolean) => void
  const answered = new Promise<boolean>((resolve) => (settle = resolve))
  const question: PendingConfirmation = {
    answered,
    finish(isConfirmed) {
      // An answer that arrives after a cancel must not close the next question.
      if (asked !== question) return
      asked = undefined
      notify()
      settle(isConfirmed)
    },
  }
  asked = question
  notify()
  return answered
}
