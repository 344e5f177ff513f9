import { createListeners } from '../listeners.ts'

/** The person is asked to prove who they are. */
interface Asked {
  answered: Promise<boolean>
  finish: (isConfirmed: boolean) => void
}

let asked: Asked | undefined
const { subscribe, notify } = createListeners()

/** Calls back when the question comes or goes; for its dialog. */
export const onConfirmationChange = subscribe

/** The question that is open; for its dialog. */
export const openConfirmation = (): Asked | undefined => asked

/**
 * Asks the person to prove who they are (rules/account#confirmation); calls that need it at the same time share one question.
 * @returns whether they did; false when they would rather not
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
