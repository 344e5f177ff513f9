import { useSyncExternalStore } from 'react'
import type { login } from '../contract/account/session.ts'
import type { OutputOf } from '../contract/endpoint.ts'
import type { FunctionName } from '../contract/permissions.ts'
import { deleteDrafts } from './delete-drafts.ts'
import { createListeners } from './listeners.ts'
import { hasOpenInput, hasUnsavedInput } from './unsaved-input.ts'

/* Keys in local storage, shared by the tabs (rules/account#browser-memory). */

/** Storage key of the session token. */
const UID = 'session_uid'
/** Storage key of the login ID of the session's user. Other tabs react when it changes. */
const USER_ID = 'session_user_id'
/** Set while the user must replace a temporary password. The server enforces it; this only redirects. */
const PASSWORD_CHANGE = 'session_password_change'
/** Set while the user must set up a second factor. The server enforces it; this only redirects. */
const FACTOR_SET_UP = 'session_factor_set_up'
/** Set while the user must accept the privacy notice. The server enforces it; this only redirects. */
const ACCEPTANCE = 'session_acceptance'
/** The keys of what the user must do before anything else. */
const GATES = [PASSWORD_CHANGE, FACTOR_SET_UP, ACCEPTANCE]
/** Key of the permissions of the user's role in localStorage, as the server sent them last. */
const FUNCTIONS = 'session_functions'
/** Storage key of the number of unread notifications (layout/unread-cache.ts). */
export const UNREAD = 'session_unread'

/** Storage key of the session's end, shared by the tabs (layout/deferred/session-limits.ts). */
export const SESSION_LIMITS = 'session_limits'
/** Login ID of the user whose session expired. A page with unsaved input waits for this user. */
const EXPIRED = 'session_over'

/**
 * Login ID of the user whose session ended while this page had unsaved input. The page waits until this user logs in
 * again (rules/frame#signing-in-again).
 */
let pausedUserId: string | null = null
/** True if a logout in another tab ended the session: the browser must not store drafts of this user then. */
let isPausedByLogout = false

/** True if a logout in this page ended its last session. */
let hasLoggedOut = false

/** Listeners of `useSessionUserId` and `onSessionChangedElsewhere`. */
const { subscribe, notify } = createListeners()
/** Listeners of `onPersonChange`. */
const person = createListeners()
/** Listeners of `onSessionPauseChange`. */
const pause = createListeners()
/** Listeners of `onSessionResumed`. */
const resumed = createListeners()

/**
 * Returns the token of the session, which every call sends.
 * @returns null without a session, also while it is paused
 */
export function sessionUid(): string | null {
  return localStorage.getItem(UID)
}

/**
 * Returns the login ID of the user, also while the session is paused.
 * @returns null without a session; guarded pages then redirect to /login (rules/frame#login-guard)
 */
export function sessionUserId(): string | null {
  return pausedUserId ?? localStorage.getItem(USER_ID)
}

/** Returns whether the user has logged out in this page, and no user has logged in since. A visitor has not logged out. */
export function isLoggedOut(): boolean {
  return hasLoggedOut && sessionUserId() === null
}

/** Returns whether the page waits for its user to log in again. */
export function isSessionPaused(): boolean {
  return pausedUserId !== null
}

/** Returns whether the page waits for its user because of a logout in another tab (rules/account#logout-elsewhere). */
export function isLoggedOutElsewhere(): boolean {
  return pausedUserId !== null && isPausedByLogout
}

/**
 * Registers a function that is called when the user of this page has logged in again, here or in another tab. Returns a
 * function that unregisters it.
 */
export const onSessionResumed = resumed.subscribe

/**
 * Registers a function that is called when the session is paused, and when another tab ends the pause. Use
 * `onSessionResumed` for a login in this tab. Returns a function that unregisters it.
 */
export const onSessionPauseChange = pause.subscribe

/** Returns whether the user must replace a temporary password before anything else, according to the last login. */
export function mustChangePassword(): boolean {
  return localStorage.getItem(PASSWORD_CHANGE) === 'Y'
}

/** Returns whether the user must set up a second factor before anything else, according to the last login. */
export function mustSetUpFactor(): boolean {
  return localStorage.getItem(FACTOR_SET_UP) === 'Y'
}

/**
 * Records in this browser that the user has set up a second factor, or no longer needs one: `mustSetUpFactor` returns
 * false.
 */
export function clearFactorSetUp(): void {
  localStorage.removeItem(FACTOR_SET_UP)
}

/**
 * Returns whether the user must accept the privacy notice before anything else, according to the server's last
 * response.
 */
export function mustAcceptPrivacy(): boolean {
  return localStorage.getItem(ACCEPTANCE) === 'Y'
}

/** Records in this browser whether the user must accept the privacy notice (`mustAcceptPrivacy`). */
export function setAcceptance(isDue: boolean): void {
  if (isDue) localStorage.setItem(ACCEPTANCE, 'Y')
  else localStorage.removeItem(ACCEPTANCE)
}

/** Stores the permissions of the user's role for `hasCachedFunction`. */
export function cacheFunctions(functions: readonly FunctionName[]): void {
  localStorage.setItem(FUNCTIONS, functions.join(' '))
}

/**
 * Returns whether the user had a permission when the server last sent them. Only a hint: the server checks
 * every call.
 */
export function hasCachedFunction(name: FunctionName): boolean {
  return localStorage.getItem(FUNCTIONS)?.split(' ').includes(name) ?? false
}

/**
 * Stores the session that a login returned, with what its user must do first. Deletes the cached data of the previous
 * user (`onPersonChange`) and the drafts of all other users.
 */
export function startSession(session: OutputOf<typeof login>): void {
  clearUserData()
  deleteDrafts({ except: session.userId })
  store(session)
  notify()
}

/** Stores the session of the same user after a login over the page, and ends its pause. Keeps the data of the user. */
export function resumeSession(session: OutputOf<typeof login>): void {
  store(session)
  resumed.notify()
}

/** Stores a session, with what its user must do first, and ends a pause. */
function store(session: OutputOf<typeof login>): void {
  pausedUserId = null
  for (const key of [EXPIRED, SESSION_LIMITS, ...GATES]) localStorage.removeItem(key)
  if (session.mustChangePassword) localStorage.setItem(PASSWORD_CHANGE, 'Y')
  if (session.mustSetUpFactor) localStorage.setItem(FACTOR_SET_UP, 'Y')
  setAcceptance(session.mustAcceptPrivacy)
  localStorage.setItem(UID, session.sessionUid)
  // Last, because other tabs react to this key.
  localStorage.setItem(USER_ID, session.userId)
}

/**
 * Stores the new session that a password change returned (rules/account#password-change). `mustChangePassword` is false
 * then.
 */
export function renewSession(session: { sessionUid: string }): void {
  localStorage.setItem(UID, session.sessionUid)
  localStorage.removeItem(PASSWORD_CHANGE)
}

/** Stores the new login ID of the user, and renders the components that show it again. */
export function renameSession(userId: string): void {
  localStorage.setItem(USER_ID, userId)
  notify()
}

/**
 * Deletes the session and the user's cached data from the browser, except for drafts, and ends a pause. Does not call
 * the server, and does nothing without a session.
 * @param isExpired true if the session expired, so that other tabs can wait for the user; false after a logout
 */
export function endSession(isExpired = false): void {
  if (sessionUid() === null && sessionUserId() === null) return
  clearSession(isExpired)
  hasLoggedOut = !isExpired
  pausedUserId = null
  clearUserData()
  notify()
}

/**
 * Deletes an expired session but keeps the page, so that the user can log in again over unsaved input. Does
 * nothing if it is already paused.
 */
export function pauseSession(): void {
  const userId = sessionUserId()
  if (pausedUserId !== null || userId === null) return
  clearSession(true)
  pausedUserId = userId
  isPausedByLogout = false
  pause.notify()
}

/**
 * Deletes the session from the browser.
 * @param isExpired true to store its user under EXPIRED, for the other tabs
 */
function clearSession(isExpired: boolean): void {
  const userId = localStorage.getItem(USER_ID)
  if (isExpired && userId !== null) localStorage.setItem(EXPIRED, userId)
  else localStorage.removeItem(EXPIRED)
  for (const key of [SESSION_LIMITS, ...GATES, UID, USER_ID]) localStorage.removeItem(key)
}

/**
 * Registers a function that is called when a session begins or ends, in any tab, so that the next user sees no data of
 * the previous one. A pause of the session is no end. Returns a function that unregisters it.
 */
export const onPersonChange = person.subscribe

/** Returns the login ID of the user, and renders again after a login or logout in any tab. */
export function useSessionUserId(): string | null {
  return useSyncExternalStore(subscribe, sessionUserId)
}

/**
 * Follows logins and logouts in other tabs. Pauses the page if it has unsaved input when the session ends, and deletes
 * all drafts after a logout then. Reloads a page that the browser restores for another user.
 * @param leave navigates to a page of the new user, or to /login for null. `before` is the login ID of the user whose
 * session expired, to whom a login returns the page. The screen renders again only after it: otherwise it would request
 * what the previous user was viewing
 */
export function onSessionChangedElsewhere(
  leave: (userId: string | null, before: string | null) => Promise<void>,
): void {
  let shownUserId = sessionUserId()
  subscribe(() => (shownUserId = sessionUserId()))
  window.addEventListener('storage', (event) => {
    // The key is null after localStorage.clear().
    if (event.key !== null && event.key !== USER_ID) return
    const userId = localStorage.getItem(USER_ID)
    if (userId === shownUserId) {
      pausedUserId = null
      resumed.notify()
      return pause.notify()
    }
    const isExpired = localStorage.getItem(EXPIRED) === shownUserId
    if (userId === null && (isExpired ? hasOpenInput() : hasUnsavedInput())) {
      pausedUserId = shownUserId
      isPausedByLogout = !isExpired
      // A draft may have been stored here since the other tab deleted them.
      if (isPausedByLogout) deleteDrafts()
      return pause.notify()
    }
    const before = isExpired ? shownUserId : null
    shownUserId = userId
    pausedUserId = null
    pause.notify()
    clearUserData()
    void leave(userId, before).finally(notify)
  })
  // The browser can restore a page from its back/forward cache. Such a page has missed all events and still shows its
  // previous user.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted || sessionUserId() === shownUserId) return
    document.body.hidden = true
    location.reload()
  })
}

/** Deletes the cached permissions and the number of unread notifications, and notifies `onPersonChange`. */
function clearUserData(): void {
  localStorage.removeItem(FUNCTIONS)
  localStorage.removeItem(UNREAD)
  person.notify()
}
