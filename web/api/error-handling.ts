import { messages } from '../language.tsx'
import { createListeners } from '../listeners.ts'
import { endSession, isLoggedOut, pauseSession, sessionUserId, setAcceptance } from '../session.ts'
import { hasOpenInput } from '../unsaved-input.ts'
import type { CallError } from './call-error.ts'

/** Pages to which a failure redirects; `/` is the start page of the user or the guest. */
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

/**
 * Registers a function that is called when the server has failed (500 or above), before the alert and the redirect to
 * /main. A form stores its input then. Returns a function that unregisters it.
 */
export const onServerFailure = serverFailure.subscribe

/** Dialogs and router; undefined until `connectErrorHandling`. Without them no failure is shown. */
let ui: ErrorUi | undefined
/** True while the alert of a failure is open or its redirect runs. */
let isShowing = false
/** True while a failure redirects, after its alert. */
let isNavigating = false

/** Connects the global error handling to dialogs and router, once at start. */
export function connectErrorHandling(errorUi: ErrorUi): void {
  ui = errorUi
}

/**
 * Handles a failed call in the same way on every page, and sets `isHandled`:
 * - 401: an alert, then /login (rules/frame#session-failure). With a dirty form or an open dialog it pauses the session
 *   instead, and the page asks for a login (rules/frame#signing-in-again). Nothing after a logout.
 * - a password to change, a second factor to set up or a privacy notice to accept: the page for that, without an alert.
 * - any other 403, and 500 or above: an alert, then /main (rules/frame#permission-failure, rules/frame#server-failure).
 * - no response: an alert.
 *
 * Shows and redirects nothing while an earlier failure is being shown. Ignores other refusals, which the caller must
 * show.
 */
export function handleCallError(error: CallError): void {
  const reaction = reactionTo(error)
  if (reaction === undefined) return
  error.isHandled = true
  // Only then does the page ask for it.
  if (reaction.target === '/privacy') setAcceptance(true)
  if (error.status === 401) {
    if (sessionUserId() !== null && hasOpenInput()) pauseSession()
    // The page of a user who has just logged out may still load data, until /login opens.
    else if (!isLoggedOut()) showSessionExpired(reaction.text)
    return
  }
  if (error.status >= 500) serverFailure.notify()
  void show(reaction, sessionUserId())
}

/** Returns whether the page of a failure is being opened right now. A leave guard must not ask then. */
export function isRedirecting(): boolean {
  return isNavigating
}

/** Shows in an alert that the user may not open a page, and redirects to / (rules/frame#function-pages). */
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

/**
 * Returns alert and page of a failed call, as `handleCallError` describes: by the status, and for
 * PASSWORD_CHANGE_REQUIRED, FACTOR_SETUP_REQUIRED and PRIVACY_ACCEPTANCE_REQUIRED by the code. Undefined for a refusal
 * that the caller must show.
 */
function reactionTo(error: CallError): Reaction | undefined {
  const { failures } = messages()
  if (error.status === 0) return { text: error.message }
  if (error.status >= 500) return { text: failures.UNEXPECTED, target: '/main' }
  if (error.status === 401) {
    // Any other code has a message with the reason.
    const text = error.code === 'SESSION_REQUIRED' ? failures.SESSION_REQUIRED : error.message
    return { text, target: '/login' }
  }
  if (error.code === 'PASSWORD_CHANGE_REQUIRED') return { target: '/password' }
  if (error.code === 'FACTOR_SETUP_REQUIRED') return { target: '/second-factor' }
  if (error.code === 'PRIVACY_ACCEPTANCE_REQUIRED') return { target: '/privacy' }
  if (error.status === 403) return { text: failures.FORBIDDEN, target: '/main' }
  return undefined
}

/**
 * Shows the text of a reaction, and then opens its target. Does nothing while an earlier reaction is being shown.
 * @param from login ID of the user, to whom the login returns the page; null for no return
 */
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
