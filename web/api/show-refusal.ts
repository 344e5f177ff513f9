import { messages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { CallError } from './call-error.ts'

/**
 * Shows the server's `msg` of a refused call in an alert (rules/frame#refusal), with the time of the next attempt if
 * the server sends one. Shows nothing if the global error handling has shown the error. Resolves when the user closes
 * the alert.
 * @throws any error that is not a CallError: a defect must not look like a refusal
 */
export async function showRefusal(error: unknown, title?: string): Promise<void> {
  if (!(error instanceof CallError)) throw error
  if (error.isHandled) return
  const { message, retryAfterSeconds: seconds } = error
  await dialogs.alert({
    title,
    message: seconds === undefined ? message : `${message}\n${retryText(seconds)}`,
  })
}

/**
 * Returns the sentence that says in how many seconds, or from 61 seconds in how many minutes, a refused call may be
 * retried.
 */
export function retryText(seconds: number): string {
  const t = messages().account
  return seconds > 60 ? t.retryAfterMinutes(Math.ceil(seconds / 60)) : t.retryAfterSeconds(seconds)
}
