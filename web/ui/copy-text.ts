import { dialogs } from './dialogs.ts'
import { showToast } from './toasts.ts'

/** Copies a text to the clipboard. @returns false without TLS or permission: the user can select the text instead */
export async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Copies a text and shows the outcome: a toast, or a dialog on failure. @returns whether it was copied */
export async function copyText(
  text: string,
  { copied, copyFailed }: Record<'copied' | 'copyFailed', string>,
): Promise<boolean> {
  const isCopied = await writeToClipboard(text)
  if (isCopied) showToast(copied)
  else await dialogs.alert({ tone: 'info', message: copyFailed })
  return isCopied
}
