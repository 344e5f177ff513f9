import { messages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'
import { CallError } from './call-error.ts'

/**
 * Shows the server's `msg` of a refused call in an alert (rules/frame#refusal: any non-200 result on the business
 * calls), unless the shared handling has told it already. A refusal that has an end says when it is.
 * @throws whatever is not a CallError: a defect, which must not look like a refusal
 */
export async function showRefusal(error: unknown, title?: string): Promise<void> {
  if (!(error instanceof CallError)) throw error
  if (error.isHandled) return
  const { msg, retryAfterSeconds: seconds } = error
  await dialogs.alert({ title, message: seconds === undefined ? msg : `${msg}\n${retryText(seconds)}` })
}

/** When a refused call may be tried again, in words. */
export function retryText(seconds: number): string {
  const t = messages().account
  return seconds > 60 ? t.retryAfterMinutes(Math.ceil(seconds / 60)) : t.retryAfterSeconds(seconds)
}
