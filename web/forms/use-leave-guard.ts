import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { isLeadingAway } from '../api/shared-handling.ts'
import { sessionUserId, useSessionUserId } from '../session.ts'
import { useMessages } from '../language.tsx'
import { dialogs } from '../ui/dialogs.ts'

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
  const t = useMessages().forms
  const isFree = useRef(false)
  const person = useSessionUserId()

  useBlocker({
    disabled: !isDirty,
    enableBeforeUnload: () => isDirty && !isFree.current,
    shouldBlockFn: async () => {
      if (isFree.current || isLeadingAway()) return false
      // Without the session of who typed it nothing can be saved any more: the way out is open.
      if (sessionUserId() === null || sessionUserId() !== person) return false
      return !(await dialogs.confirm({ title: t.leaveTitle, message: text ?? t.leaveText, isDanger: true }))
    },
  })

  return {
    allowLeave: () => void (isFree.current = true),
    guard: () => void (isFree.current = false),
  }
}
