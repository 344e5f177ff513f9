import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Messages } from '../../contract/messages/ko.ts'
import { isRedirecting } from '../api/error-handling.ts'
import { sessionUserId, useSessionUserId } from '../session.ts'
import { usePortalMessages } from '../language.tsx'
import { useOpenInput } from '../unsaved-input.ts'
import { dialogs } from '../ui/dialogs.ts'

/** Asks in a dialog whether to lose unsaved input; true if the user confirms. */
const askToLeave = (t: Messages['forms'], text = t.leaveText) =>
  dialogs.confirm({ title: t.leaveTitle, message: text, isDanger: true })

/**
 * Asks before unsaved input is lost: with the browser's dialog on a reload, with a dialog of the portal on a
 * navigation. Does not ask when a failure redirects (rules/frame#permission-failure), or after a logout. Registers
 * the input as open, so that an expired session pauses the page instead of leaving it.
 * @param isDirty whether there is unsaved input
 * @param text question of the dialog, if not all input would be lost
 * @returns `allowLeave` switches the guard off before a navigation that the user has confirmed. `guard` switches
 * it on again if the user stays
 */
export function useLeaveGuard(
  isDirty: boolean,
  text?: string,
): { allowLeave: () => void; guard: () => void } {
  const t = usePortalMessages().forms
  const isFree = useRef(false)
  const person = useSessionUserId()
  useOpenInput(isDirty)

  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty && !isFree.current,
    shouldBlockFn: async () => {
      if (isFree.current || isRedirecting()) return false
      // After a logout nothing can be saved, so do not block navigation.
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
 * Returns the close handler of a dialog. It asks first if the dialog has unsaved input (rules/frame#unsaved-changes).
 * Registers the dialog as an open input of the page.
 * @param isBusy true during a submit: the handler does nothing, because the response closes the dialog or shows an
 * error
 * @param text question, if something else than typed input would be lost
 */
export function useCloseGuard(
  isTyped: boolean,
  onClose: () => void,
  isBusy = false,
  text?: string,
): () => void {
  const t = usePortalMessages().forms
  useOpenInput(true, isTyped)
  return () => {
    if (isBusy) return
    if (!isTyped) return onClose()
    void askToLeave(t, text ?? t.closeText).then((isLeaving) => isLeaving && onClose())
  }
}
