import { createListeners } from '../listeners.ts'

/** A pending reauthentication of the user. */
interface Asked {
  answered: Promise<boolean>
  finish: (isConfirmed: boolean) => void
}

let asked: Asked | undefined
const { subscribe, notify } = createListeners()

/** Calls back when a reauthentication starts or ends; for its dialog. */
export const onConfirmationChange = subscribe

/**
 * Returns the pending reauthentication, for its dialog.
 * @returns undefined if there is none
 */
export const openConfirmation = (): Asked | undefined => asked

/**
 * Asks the user to reauthenticate (rules/account#confirmation). Concurrent calls share one dialog.
 * @returns false if the user cancels or the session has expired
 */
export function askToConfirm(): Promise<boolean> {
  if (asked !== undefined) return asked.answered
  let settle: (isConfirmed: boolean) => void
  const answered = new Promise<boolean>((resolve) => (settle = resolve))
  const question: Asked = {
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
