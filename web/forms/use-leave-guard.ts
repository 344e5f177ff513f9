import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Messages } from '../../contract/messages/ko.ts'
import { isRedirecting } from '../api/error-handling.ts'
import { sessionUserId, useSessionUserId } from '../session.ts'
import { usePortalMessages } from '../language.tsx'
import { useTyped } from '../typed.ts'
import { dialogs } from '../ui/dialogs.ts'

const askToLeave = (t: Messages['forms'], text = t.leaveText) =>
  dialogs.confirm({ title: t.leaveTitle, message: text, isDanger: true })

/**
 * Asks before typed changes are lost: by the browser when the page is left or reloaded, by a question
 * when another screen is opened. Where a failure leads (rules/frame#permission-failure) nobody is asked.
 * @returns `allowLeave`, to be called before a navigation that the person has already agreed to, and `guard`,
 * which asks again afterwards when the person stayed
 * @param text what is asked, where not everything would be lost
 */
export function useLeaveGuard(
  isDirty: boolean,
  text?: string,
): { allowLeave: () => void; guard: () => void } {
  const t = usePortalMessages().forms
  const isFree = useRef(false)
  const person = useSessionUserId()
  useTyped(isDirty)

  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty && !isFree.current,
    shouldBlockFn: async () => {
      if (isFree.current || isRedirecting()) return false
      // Without the session of who typed it nothing can be saved any more: the way out is open.
      if (sessionUserId() === null || sessionUserId() !== person) return false
      return !(await askToLeave(t, text))
    },
  })

  return {
    allowLeave: () => void (isFree.current = true),
    guard: () => void (isFree.current = false),
  }
}

/**
 * The way out of a dialog: closes it at once, or asks first when something was typed in it (rules/frame#unsaved-changes).
 * @param isBusy what was typed is on its way: its answer closes the dialog or says what is wrong
 */
export function useCloseGuard(isTyped: boolean, onClose: () => void, isBusy = false): () => void {
  const t = usePortalMessages().forms
  // A dialog that asks for something is open.
  useTyped(true, isTyped)
  return () => {
    if (isBusy) return
    if (!isTyped) return onClose()
    void askToLeave(t, t.closeText).then((isLeaving) => isLeaving && onClose())
  }
}
