import { messages } from '../language.tsx'
import { createListeners } from '../listeners.ts'
import { endSession, pauseSession, sessionUserId, setAcceptance } from '../session.ts'
import { hasOpenInput } from '../unsaved-input.ts'
import type { CallError } from './call-error.ts'

type Target = '/' | '/main' | '/login' | '/password' | '/second-factor' | '/privacy'

/** The dialogs and the router, which this module must not import. */
interface ErrorUi {
  /** Shows a plain text with a warning icon and a green 확인. Resolves when the user confirms. */
  alert: (text: string) => Promise<void>
  /**
   * Navigates to a page. Does nothing if the page is open already, so that it does not reload forever.
   * @param from login ID of the user whose page is left for the login, which leads back to it
   */
  goTo: (path: Target, from: string | null) => Promise<void>
}

const serverFailure = createListeners()

/** Calls back before a server failure redirects away from a form, so that its input can be stored. */
export const onServerFailure = serverFailure.subscribe

let ui: ErrorUi | undefined
let isShowing = false
let isNavigating = false

/** Connects the global error handling to dialogs and router, once at start. */
export function connectErrorHandling(errorUi: ErrorUi): void {
  ui = errorUi
}

/**
 * Handles a failed call globally (rules/frame#session-failure, rules/frame#permission-failure,
 * rules/frame#server-failure). Shows an alert for 401, 403 and 500 or above and redirects; without an alert if the user
 * must complete a page first. Shows an alert alone if no response arrived, and none while another is open. A 401 over a
 * dirty form or an open dialog asks for a new login instead (rules/frame#signing-in-again). Sets `isHandled`; ignores
 * other refusals, which the caller must show.
 */
export function handleCallError(error: CallError): void {
  const reaction = reactionTo(error)
  if (reaction === undefined) return
  error.isHandled = true
  // Only then does the page ask for it.
  if (reaction.target === '/privacy') setAcceptance(true)
  if (error.status === 401) {
    if (sessionUserId() !== null && hasOpenInput()) pauseSession()
    else showSessionExpired(reaction.text)
    return
  }
  if (error.status >= 500) serverFailure.notify()
  void show(reaction, sessionUserId())
}

/** Returns whether a failure is redirecting right now. A leave guard must not ask then. */
export function isRedirecting(): boolean {
  return isNavigating
}

/** Shows that the user may not open a page, and redirects to / (rules/frame#function-pages). */
export function showForbidden(): void {
  void show({ text: messages().frame.noPermission, target: '/' }, null)
}

/** Ends an expired session, shows the reason and redirects to /login (rules/frame#session-failure). */
export function showSessionExpired(reason = messages().failures.SESSION_REQUIRED): void {
  const from = sessionUserId()
  endSession(true)
  void show({ text: reason, target: '/login' }, from)
}

/** The alert and the redirect for an error; either may be missing. */
interface Reaction {
  text?: string
  target?: Target
}

function reactionTo(error: CallError): Reaction | undefined {
  const { failures } = messages()
  if (error.status === 0) return { text: error.msg }
  if (error.status >= 500) return { text: failures.UNEXPECTED, target: '/main' }
  if (error.status === 401) {
    // Any other code has a message with the reason.
    const text = error.code === 'SESSION_REQUIRED' ? failures.SESSION_REQUIRED : error.msg
    return { text, target: '/login' }
  }
  if (error.code === 'PASSWORD_CHANGE_REQUIRED') return { target: '/password' }
  if (error.code === 'FACTOR_SETUP_REQUIRED') return { target: '/second-factor' }
  if (error.code === 'PRIVACY_ACCEPTANCE_REQUIRED') return { target: '/privacy' }
  if (error.status === 403) return { text: failures.FORBIDDEN, target: '/main' }
  return undefined
}

async function show({ text, target }: Reaction, from: string | null): Promise<void> {
  if (isShowing || ui === undefined) return
  const { alert, goTo } = ui
  isShowing = true
  try {
    if (text !== undefined) await alert(text)
    isNavigating = true
    if (target !== undefined) await goTo(target, from)
  } finally {
    isShowing = false
    isNavigating = false
  }
}
