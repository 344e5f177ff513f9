import { dialogs } from '../ui/dialogs.ts'
import { CallError } from './call-error.ts'

/**
 * Shows the server's `msg` of a refused call in an alert (spec §8: any non-200 result on the business
 * calls), unless the shared handling has told it already.
 * @throws whatever is not a CallError: a defect, which must not look like a refusal
 */
export async function tellRefusal(error: unknown, options: { title?: string } = {}): Promise<void> {
  if (!(error instanceof CallError)) throw error
  if (!error.isHandled) await dialogs.alert({ ...options, message: error.msg })
}
